"""Scenario sets: files to ScenarioSet, ScenarioSet to prompts."""
