"""What an imperfect detector's rate says about the true one. Counts in, rate or the reason for none out."""

from evenhand.stats.correction.false_alarms import at_least_one_false_alarm
from evenhand.stats.correction.floor import CorrectedRate, State, corrected_rate
from evenhand.stats.correction.planning import DetectableRate, minimum_detectable_rate
from evenhand.stats.correction.prevalence import lang_reiczigel, rogan_gladen
from evenhand.stats.correction.reference import Reference, Youden
from evenhand.stats.correction.tipping import TippingPoint, tipping_points, tipping_sensitivity, tipping_specificity

__all__ = [
    "CorrectedRate",
    "DetectableRate",
    "Reference",
    "State",
    "TippingPoint",
    "Youden",
    "at_least_one_false_alarm",
    "corrected_rate",
    "lang_reiczigel",
    "minimum_detectable_rate",
    "rogan_gladen",
    "tipping_points",
    "tipping_sensitivity",
    "tipping_specificity",
]
