"""Pinned model files: which they are, pull, verify, find."""
