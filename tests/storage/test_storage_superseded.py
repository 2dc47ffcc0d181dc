from storage_builders import RUN, a_response

from evenhand.core.outcomes import Failed
from evenhand.storage.base import Store


def test_a_replaced_round_no_longer_counts_and_can_still_be_read(running: Store) -> None:
    """Both rounds were paid for; only the later one is an answer."""
    first, second = a_response("a", Failed(error="cut off")), a_response("a", round_=2)
    running.save_responses(RUN, [first, a_response("b")])
    assert list(running.superseded(RUN)) == []
    running.save_responses(RUN, [second])
    assert [(r.request.id, r.round) for r in running.superseded(RUN)] == [("a", 1)]
    assert sorted((r.request.id, r.round) for r in running.responses(RUN)) == [("a", 2), ("b", 1)]
