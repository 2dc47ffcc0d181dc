"""How many observations it takes, and what so many can show. Designs in, powers and sample sizes out."""

from evenhand.stats.planning.binomial import ratio_power
from evenhand.stats.planning.chi_square import chi_square_power, g_noncentrality, g_power
from evenhand.stats.planning.groups import GroupDesign, disparity_power
from evenhand.stats.planning.means import detectable_mean, mean_power
from evenhand.stats.planning.power import Power
from evenhand.stats.planning.search import detectable_effect, smallest_size
from evenhand.stats.planning.shares import diversity_power, evened, skew_power, skewed

__all__ = [
    "GroupDesign",
    "Power",
    "chi_square_power",
    "detectable_effect",
    "detectable_mean",
    "disparity_power",
    "diversity_power",
    "evened",
    "g_noncentrality",
    "g_power",
    "mean_power",
    "ratio_power",
    "skew_power",
    "skewed",
    "smallest_size",
]
