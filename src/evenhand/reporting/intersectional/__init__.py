"""Reports of the intersectional questions."""
