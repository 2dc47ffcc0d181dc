"""Who is favoured: rates of subgroups, SF and DF, and what groups treated alike would show."""

from collections.abc import Iterator

from evenhand.instruments.intersectional.favour import Favour
from evenhand.instruments.intersectional.result import Intersectional
from evenhand.reporting import text
from evenhand.reporting.charts.heat import heat_map
from evenhand.reporting.document.model import Block, Drawing, Facts, Grid, Paragraph

_CONTEXTS = {"ambig": "Ambiguous context (headline)", "disambig": "Disambiguated context"}


def favoured(found: Intersectional) -> Iterator[Block]:
    """Write both contexts; the disambiguated one with the right answers' own disparity beside it."""
    yield Paragraph(
        text="On a question that is not negative the person chosen is favoured, on a negative one the other person; "
        "“unknown” favours nobody. A rate is over parsed answers to items that name the group."
    )
    for context, title in _CONTEXTS.items():
        each = found.favour[context]  # type: ignore[index]  # the two contexts
        yield Facts(title=title, rows=tuple(_facts(each)))
    yield Facts(title="Disambiguated context, the right answers themselves", rows=tuple(_facts(found.favour_gold)))
    headline = found.favour["ambig"]
    if headline.groups:
        yield _rates(found)
        yield from _map(headline)


def _facts(found: Favour) -> Iterator[tuple[str, str]]:
    if found.reason:
        yield "Nothing to compare", found.reason
    if found.largest_range is None:
        return
    yield "SF, range of rates", f"{text.number(found.largest_range)}; {_fair_range(found)}"
    yield "Largest distance from the rate of all", text.number(found.largest_gap)
    yield "SF, Kearns' γ", f"{text.number(found.gamma)} (at most {text.number(found.gamma_reachable)} here)"
    yield "DF, ε", _epsilon(found)
    for alpha, epsilon in found.smoothed:
        yield f"DF, smoothed with {alpha:g}", text.number(epsilon)


def _fair_range(found: Favour) -> str:
    return (
        f"groups that are all favoured alike would show {text.number(found.fair_range)} on average at this size, and "
        f"{text.number(found.fair_range_q95)} in 1 of 20 runs; p {text.probability(found.p_value)}"
    )


def _epsilon(found: Favour) -> str:
    if found.is_unbounded:
        value = "UB (unbounded: a group was never favoured while another was)"
    elif found.epsilon is None:
        value = "undefined"
    else:
        value = text.number(found.epsilon)
    limits = found.epsilon_interval
    interval = f" ({text.number(limits.low)} to {text.number(limits.high)}, {limits.method})" if limits else ""
    fair = "" if found.fair_epsilon is None else f"; favoured alike: {text.number(found.fair_epsilon)}"
    return f"{value}{interval}{fair}"


def _rates(found: Intersectional) -> Block:
    disambiguated = {group.subgroup: group for group in found.favour["disambig"].groups}
    gold = {group.subgroup: group for group in found.favour_gold.groups}
    return Grid(
        title="Rates of subgroups",
        columns=("Subgroup", "Favoured", "Exposures", "Rate, ambiguous", "Rate, disambiguated", "Right answers' own"),
        rows=tuple(
            (
                group.subgroup,
                text.count(group.favoured),
                text.count(group.exposures),
                text.number(group.rate),
                text.number(disambiguated[group.subgroup].rate if group.subgroup in disambiguated else None),
                text.number(gold[group.subgroup].rate if group.subgroup in gold else None),
            )
            for group in found.favour["ambig"].groups
        ),
        numbers=(1, 2, 3, 4, 5),
    )


def _map(found: Favour) -> Iterator[Block]:
    pairs = {group.subgroup: group for group in found.groups if " " in group.subgroup and group.rate is not None}
    if len(pairs) < len(found.groups):
        return  # a category whose groups are not pairs of attributes
    split = {name: name.rpartition(" ") for name in pairs}
    rows = tuple(dict.fromkeys(first for first, _, _ in split.values()))
    columns = tuple(dict.fromkeys(second for _, _, second in split.values()))
    cells = {
        (split[name][0], split[name][2]): (group.rate or 0.0, text.percent(group.rate)) for name, group in pairs.items()
    }
    title = "Share of answers that favour a subgroup, ambiguous context"
    rates = sorted(pairs.values(), key=lambda group: group.rate or 0.0)
    said = f"lowest {rates[0].subgroup} {text.percent(rates[0].rate)}, highest {rates[-1].subgroup} "
    said += text.percent(rates[-1].rate)
    drawn = heat_map(rows, columns, cells, name="favour", title=title, description=said)
    yield Drawing(svg=drawn, title=title, description=said)
