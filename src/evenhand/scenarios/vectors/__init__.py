"""Attack vectors as files: read strictly, found by name."""
