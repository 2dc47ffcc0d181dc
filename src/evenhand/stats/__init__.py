"""Statistics: arrays in, small result objects out. Knows nothing of models or scenarios."""
