"""Intersectional question answering: who is favoured, whose stereotype is followed, and does the answer hold still."""
