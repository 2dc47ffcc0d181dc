"""Comparisons of runs as documents."""
