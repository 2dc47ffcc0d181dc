"""A stochastic text generator with declared biases: no model, so that an instrument can be checked against it."""
