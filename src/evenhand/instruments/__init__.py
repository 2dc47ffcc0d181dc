"""Whole methods: what to ask, what to detect, what to compute."""
