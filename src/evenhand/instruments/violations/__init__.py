"""The violation rate: a detector's yes and no per turn and attribute, as one rate that can be questioned."""
