"""Runs an instrument: plan, execute, store, evaluate, score."""
