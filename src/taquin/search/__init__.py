"""Searching for ways: textbook algorithms in plain Python, and compiled ones."""
