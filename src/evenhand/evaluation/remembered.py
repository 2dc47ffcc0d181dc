"""The latest judgements of one evaluator: a model at temperature 0 gives the same answer again and again."""

from collections import OrderedDict

from evenhand.core.protocols import Judged, Judgement

TEXTS = 1_000
"""Texts remembered per evaluator; the one that was not asked for longest goes first."""
LONGEST = 4_000
"""Characters of a text that is remembered. Long answers seldom repeat, and 1,000 of these hold 4 to 16 MB at most.

The texts are shared by all evaluators. Beside them, two embeddings are 3 KB and other judgements less than 1 KB: some
4 MB for 1,000 texts. A usual run, with answers of 500 characters, so keeps about 5 MB.
"""


class Remembered:
    """Judgements by text, bounded in number.

    Parameters
    ----------
    texts
        At most this many are kept.
    """

    def __init__(self, texts: int = TEXTS) -> None:
        self._texts = texts
        self._judged: OrderedDict[str, Judged] = OrderedDict()

    def get(self, text: str) -> Judged | None:
        """Return what was said about `text`; None if that is not remembered."""
        judged = self._judged.get(text)
        if judged is not None:
            self._judged.move_to_end(text)
        return judged

    def add(self, text: str, judgement: Judgement) -> None:
        """Remember a judgement. What could not be judged is tried again: the reason may have been a passing one."""
        if not isinstance(judgement, Judged) or len(text) > LONGEST:
            return
        self._judged[text] = judgement
        self._judged.move_to_end(text)
        if len(self._judged) > self._texts:
            self._judged.popitem(last=False)
