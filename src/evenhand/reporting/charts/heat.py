"""A heat map: one square a pair, the darker the higher, its number inside."""

from collections.abc import Mapping, Sequence

from evenhand.reporting.charts import svg

_LEFT, _TOP, _WIDE, _HIGH = 150.0, 22.0, 84.0, 24.0
_FILL = "#3b6ea8"


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], tuple[float, str]],
    *,
    name: str,
    title: str,
    description: str,
) -> str:
    """Draw shares.

    Parameters
    ----------
    cells
        (row, column) to the share in [0, 1] and its text; pairs that are absent stay empty.
    """
    most = max((share for share, _ in cells.values()), default=0.0) or 1.0
    body = [
        svg.words(column, _LEFT + _WIDE * (j + 0.5), _TOP - 8, class_="chart-axis", anchor="middle")
        for j, column in enumerate(columns)
    ]
    for i, row in enumerate(rows):
        y = _TOP + _HIGH * i
        body.append(svg.words(row, 0, y + _HIGH / 2 + 4, class_="chart-label"))
        for j, column in enumerate(columns):
            if (row, column) in cells:
                body.append(_square(_LEFT + _WIDE * j, y, *cells[row, column], most))
    width, height = _LEFT + _WIDE * len(columns) + 4, _TOP + _HIGH * len(rows) + 4
    return svg.picture(
        "".join(body), width=width, height=height, name=name, title=title, description=description, class_="chart"
    )


def _square(x: float, y: float, share: float, text: str, most: float) -> str:
    box = svg.element(
        "rect",
        {
            "x": x,
            "y": y,
            "width": _WIDE - 2,
            "height": _HIGH - 2,
            "fill": _FILL,
            "fill-opacity": 0.08 + 0.5 * share / most,
        },
    )
    return box + svg.words(text, x + _WIDE / 2 - 1, y + _HIGH / 2 + 3, class_="chart-value", anchor="middle")
