"""How a model is reached."""
