"""Two runs, prompt by prompt with as many answers of each, and their answers dealt out anew between them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Codes, Flags, OutputTable
from evenhand.instruments.audit.compare.plans import Prompt
from evenhand.instruments.audit.compare.rows import Rows, stacked, take

Tables = tuple[OutputTable, OutputTable]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matched:
    """Outputs of two runs, sorted by prompt, then by run, then by replicate.

    Attributes
    ----------
    table
        n outputs; every prompt has as many of the first run as of the second.
    cell
        (n,) codes of prompts, rising.
    is_new
        (n,) False in the first run.
    rank
        (n,) replicate within prompt and run, from 0.
    sizes
        (cells,) outputs of each run.
    """

    table: OutputTable
    cell: NDArray[np.intp]
    is_new: Flags
    rank: Codes
    sizes: NDArray[np.intp]

    @property
    def each(self) -> int:
        """Outputs of each run."""
        return len(self.table) // 2

    @property
    def replicates(self) -> int:
        """Outputs of each run to a prompt, at most."""
        return int(self.sizes.max(initial=0))

    def split(self, order: Rows | None = None, kept: Flags | None = None) -> Tables:
        """Return the tables of the two runs.

        Parameters
        ----------
        order
            (n,) whose answer stands in each row; None for the row's own.
        kept
            (n,) rows to keep; None for all.
        """
        rows = np.arange(len(self.table)) if order is None else order
        old, new = ~self.is_new, self.is_new
        if kept is not None:
            old, new = old & kept, new & kept
        first, second = (take(self.table, rows[side], replicate=self.rank[side] + 1) for side in (old, new))
        return first, second

    def dealt(self, rng: np.random.Generator) -> Rows:
        """(n,) rows with the answers of each prompt in random order: run labels permuted within prompts."""
        return np.lexsort((rng.random(len(self.cell)), self.cell))

    def left_out(self, most: int) -> Iterator[list[Flags]]:
        """Yield for each block of scenarios the rows that stay when one replicate of the block is left out.

        Parameters
        ----------
        most
            About how many groups there are in all. Prompts with one output are never left out.
        """
        scenarios = np.unique(self.table.scenario[self.sizes[self.cell] > 1])
        blocks = min(len(scenarios), max(1, most // max(self.replicates, 1)))
        for block in np.array_split(scenarios, max(blocks, 1)):
            inside = np.isin(self.table.scenario, block) & (self.sizes[self.cell] > 1)
            if inside.any():
                yield [~(inside & (self.rank == rank)) for rank in range(self.replicates)]

    def without_scenarios(self, most: int) -> list[Flags]:
        """List the rows that stay when one group of scenarios, as a rule a single one, is left out of both runs."""
        scenarios = np.unique(self.table.scenario)
        groups = np.array_split(scenarios, min(len(scenarios), most))
        return [~np.isin(self.table.scenario, group) for group in groups]


def match(first: OutputTable, second: OutputTable, prompts: Collection[Prompt]) -> Matched:
    """Match two runs over `prompts`.

    Notes
    -----
    Where a run has more outputs to a prompt than the other, the first replicates are used: plug-in values depend on
    the number of outputs, so unequal numbers would look like a difference.
    """
    both = stacked(first, second)
    is_new = np.arange(len(both)) >= len(first)
    cell = _cells(both, prompts)
    order = np.lexsort((both.replicate, is_new, cell))
    order = order[cell[order] >= 0]
    cell, is_new = cell[order], is_new[order]
    rank = _ranks(cell * 2 + is_new)
    counts = np.bincount(cell * 2 + is_new, minlength=2 * (int(cell.max(initial=-1)) + 1)).reshape(-1, 2)
    kept = rank < counts.min(axis=1)[cell]
    codes, place = np.unique(cell[kept], return_inverse=True)
    return Matched(
        table=take(both, order[kept]),
        cell=place.astype(np.intp),
        is_new=is_new[kept],
        rank=rank[kept],
        sizes=counts.min(axis=1)[codes],
    )


def keep(table: OutputTable, prompts: Collection[Prompt], replicates: int) -> OutputTable:
    """Return the outputs to `prompts`, of each the first `replicates`."""
    cell = _cells(table, prompts)
    order = np.lexsort((table.replicate, cell))
    order = order[cell[order] >= 0]
    return take(table, order[_ranks(cell[order]) < replicates])


def _cells(table: OutputTable, prompts: Collection[Prompt]) -> NDArray[np.intp]:
    """(n,) codes of prompts; −1 for a prompt that is not compared."""
    width, height = len(table.values) + 1, len(table.attributes) + 1
    key = (table.scenario.astype(np.intp) * height + table.attribute + 1) * width + table.value + 1
    different, first, place = np.unique(key, return_index=True, return_inverse=True)
    wanted = np.array([_prompt(table, row) in prompts for row in first.tolist()], dtype=bool)
    code = np.where(wanted, np.arange(len(different)), -1)
    return code[place]


def _prompt(table: OutputTable, row: int) -> Prompt:
    attribute, value = int(table.attribute[row]), int(table.value[row])
    return (
        table.scenario_ids[table.scenario[row]],
        None if attribute < 0 else table.attributes[attribute],
        None if value < 0 else table.values[value],
    )


def _ranks(key: NDArray[np.intp]) -> Codes:
    """(n,) place of each row among the rows of its key; equal keys stand together."""
    if not len(key):
        return np.zeros(0, dtype=np.int32)
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    sizes = np.diff(np.r_[starts, len(key)])
    return (np.arange(len(key)) - np.repeat(starts, sizes)).astype(np.int32)
