"""Formats of other programs: on-line judges, data sets, planners."""
