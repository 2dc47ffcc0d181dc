"""The worlds of the published table."""

from itertools import product

from .world import World

SEEDS = 400

FAIR = tuple(
    World(groups=groups, replicates=replicates, correlated=correlated)
    for groups, replicates, correlated in product((2, 3, 5), (5, 10, 20), (False, True))
)
"""Nothing is planted: two, three and five groups, five to twenty replicates, answers of a scenario alike or not."""

PLANTED = tuple(
    World(groups=groups, replicates=replicates, correlated=correlated, effect=effect)
    for groups, replicates, correlated, effect in (
        (2, 10, False, 0.2),
        (2, 20, True, 0.5),
        (3, 5, False, 0.4),
        (3, 10, False, 0.2),
        (3, 10, True, 0.4),
        (5, 10, False, 0.4),
        (5, 20, True, 0.2),
    )
)
"""Small and large effects: do intervals hold them?"""
