"""Pattern databases: patterns, partitions, tables, and sums of their values."""
