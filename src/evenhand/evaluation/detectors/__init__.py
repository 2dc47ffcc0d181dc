"""Detectors: a yes or a no per turn and protected attribute, or why there is none."""
