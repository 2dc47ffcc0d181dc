"""Outputs to MetricResults: the six audit metrics, their bands and their reference shares."""
