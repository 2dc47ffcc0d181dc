"""Pinned model files: where they come from, pulling them, finding them."""
