"""How models are reached: one adapter per kind of provider, one retry policy for all of them."""
