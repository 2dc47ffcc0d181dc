"""The violation rate as a report: its card first, the diagnostics after it."""
