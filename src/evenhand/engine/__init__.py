"""Runs an instrument: plan, execute, store, evaluate, score."""

from evenhand.engine.engine import FairBenchEngine

__all__ = ["FairBenchEngine"]
