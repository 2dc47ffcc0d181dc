"""How image models are reached."""
