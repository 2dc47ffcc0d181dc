"""What can be said about one output, and by whom."""
