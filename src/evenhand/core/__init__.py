"""The nouns of Evenhand, as frozen values. Nothing here reads a file, calls a model or computes a metric."""
