"""Pictures: each kind in a file of its own; what draws them is imported when asked for."""
