"""Agreement beyond chance. Ratings in, Agreement out; undefined where nothing varies."""

from evenhand.stats.agreement.alpha import Measurement, krippendorff_alpha
from evenhand.stats.agreement.kappa import Weights, agreement_table, cohen_kappa
from evenhand.stats.agreement.result import Agreement

__all__ = ["Agreement", "Measurement", "Weights", "agreement_table", "cohen_kappa", "krippendorff_alpha"]
