"""The page in a real Chromium: nothing loaded, nothing logged, no sideways scroll, readable in both schemes."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from evenhand.reporting.registry import write

from .test_reporting_safety import ATTACK, hostile_card

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# WCAG 2 contrast of every element that has text of its own, against the nearest background behind it
CONTRAST = """() => {
  const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const lum = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0) return c; }
    return [255, 255, 255]; };
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    if (['TITLE', 'DESC'].includes(e.tagName.toUpperCase())) continue;
    const style = getComputedStyle(e), svg = e instanceof SVGElement;
    const [a, b] = [lum(parse(svg ? style.fill : style.color)), lum(behind(e))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push(`${e.tagName} ${e.className.baseVal ?? e.className}: ${ratio.toFixed(2)}`);
  }
  return bad;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        yield chromium
        chromium.close()


def _open(browser: Browser, file: Path, *, width: int = 1280, scheme: Scheme = "light") -> tuple[Page, list[str]]:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    seen: list[str] = []
    page.on("console", lambda message: seen.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: seen.append(f"error: {error}"))
    page.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: seen.append(f"request: {request.url}"))
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    return page, [
        line for line in seen if line != f"request: {file.as_uri()}" and not line.startswith("request: data:")
    ]


def _own_css_applies(page: Page) -> bool:
    return page.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") != "32px"


def test_the_page_loads_nothing_and_logs_nothing(browser: Browser, page: Path) -> None:
    """One file, no request but itself, no console message; its own style passes its own policy."""
    opened, seen = _open(browser, page)
    assert seen == []
    assert _own_css_applies(opened)


def test_an_attack_in_every_text_neither_runs_nor_loads(browser: Browser, tmp_path: Path) -> None:
    """No dialog, no request, no script element."""
    opened, seen = _open(browser, write(hostile_card(ATTACK), tmp_path / "hostile.html"))
    assert seen == []
    assert opened.evaluate("document.scripts.length + document.images.length") == 0


@pytest.mark.parametrize("hostile", [False, True])
def test_a_phone_does_not_scroll_sideways(browser: Browser, page: Path, tmp_path: Path, hostile: bool) -> None:
    """390 px wide, with everything unfolded, and with words that have no break in them."""
    file = write(hostile_card("x" * 500), tmp_path / "long.html") if hostile else page
    opened, _ = _open(browser, file, width=390)
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(browser: Browser, page: Path, scheme: Scheme) -> None:
    """WCAG 2 AA: at least 4.5 to 1 for all text, whatever its size."""
    opened, _ = _open(browser, page, scheme=scheme)
    assert opened.evaluate(CONTRAST) == []


def test_headings_descend_one_level_at_a_time_and_landmarks_are_there(browser: Browser, page: Path) -> None:
    """What someone who listens moves by."""
    opened, _ = _open(browser, page)
    levels = opened.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert opened.evaluate("['header','nav','main','footer'].every(t => document.querySelector('body > ' + t))")
    assert opened.evaluate("[...document.querySelectorAll('th')].every(th => th.scope)")
    ids = opened.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_print_shows_what_is_folded_on_screen(browser: Browser, page: Path) -> None:
    """Paper cannot be clicked."""
    opened = browser.new_page()
    opened.goto(page.as_uri())
    opened.emulate_media(media="print")
    assert opened.evaluate(
        "[...document.querySelectorAll('details:not([open]) table')].every(t => t.getBoundingClientRect().height > 0)"
    )
