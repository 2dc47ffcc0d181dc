"""The budget by itself: what is set aside, who waits, when nothing more is asked."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.engine.budget import Budget, checked_budget
from evenhand.errors import UsageError


async def test_a_request_is_let_through_only_while_its_worst_case_fits() -> None:
    """Limit 10, three requests of at most 4 that cost 4 each: two fit, and the third would make 12."""
    budget = Budget(10)
    assert await budget.admit("a", 4)
    budget.settle("a", 4)
    assert await budget.admit("b", 4)
    budget.settle("b", 4)
    assert not await budget.admit("c", 4)
    assert (budget.spent_usd, budget.is_exhausted) == (8, True)


async def test_what_is_left_of_a_reservation_serves_the_next_request() -> None:
    """Limit 10, worst case 6, real cost 1: the second waits until the first has cost only 1, then goes."""
    budget = Budget(10)
    assert await budget.admit("a", 6)
    second = asyncio.create_task(budget.admit("b", 6))
    await asyncio.sleep(0)
    assert not second.done()
    budget.settle("a", 1)
    assert await second
    assert not budget.is_exhausted


async def test_a_cheap_request_does_not_overtake() -> None:
    """Replicates stay balanced only if requests are asked in their order."""
    budget = Budget(10)
    assert await budget.admit("a", 6)
    dear, cheap = (asyncio.create_task(budget.admit(key, worst)) for key, worst in (("b", 8), ("c", 1)))
    await asyncio.sleep(0)
    assert not dear.done()
    assert not cheap.done()
    budget.settle("a", 5)
    assert [await dear, await cheap] == [False, False]  # 5 + 8 > 10, and then the end is the end


async def test_earlier_executions_count() -> None:
    """A resumed run has spent 7 of 10 already: a worst case of 4 does not fit, one of 3 does, exactly."""
    assert not await Budget(10, spent_usd=7).admit("a", 4)
    assert await Budget(10, spent_usd=7).admit("a", 3)


async def test_no_limit_lets_everything_through() -> None:
    """And still counts."""
    budget = Budget()
    assert await budget.admit("a", 1e12)
    budget.settle("a", 3)
    assert budget.spent_usd == 3


@given(
    limit=st.floats(min_value=0.01, max_value=100),
    worst=st.lists(st.floats(min_value=0, max_value=10), min_size=1, max_size=40),
    workers=st.integers(min_value=1, max_value=8),
    seed=st.integers(min_value=0, max_value=1000),
)
def test_the_budget_is_never_exceeded(limit: float, worst: list[float], workers: int, seed: int) -> None:
    """Whatever requests cost, up to their worst case, and in whatever order they end."""

    async def spend() -> Budget:
        budget, chance, todo = Budget(limit), random.Random(seed), iter(enumerate(worst))

        async def work() -> None:
            for key, most in todo:
                if not await budget.admit(key, most):
                    return
                for _ in range(chance.randrange(3)):
                    await asyncio.sleep(0)
                budget.settle(key, most * chance.random())

        await asyncio.gather(*(work() for _ in range(workers)))
        return budget

    assert asyncio.run(spend()).spent_usd <= limit * (1 + 1e-9)


@pytest.mark.parametrize("budget", [0, -1, float("nan"), float("inf")])
def test_a_budget_that_is_no_positive_number_is_refused(budget: float) -> None:
    """0 is not "no limit", and NaN compares with nothing."""
    with pytest.raises(UsageError, match="positive number of US dollars"):
        checked_budget(budget)
    assert checked_budget(None) is None
