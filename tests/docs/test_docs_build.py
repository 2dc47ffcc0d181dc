"""The documentation as a site: built with warnings as errors, and fetching nothing from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# a tag that makes a browser fetch something, as opposed to a link that a reader may follow
FETCHED = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=["']?(?:https?:)?//[^"'\s>]+""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the whole site; a dead link, a missing page or a broken docstring ends the build."""
    target = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return target


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    """A reader without a network sees the same page, and nobody learns who reads it."""
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        assert FETCHED.findall(page.read_text(encoding="utf-8")) == [], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//|@import", sheet.read_text(encoding="utf-8")), sheet


@pytest.mark.parametrize("name", ["api", "types", "metrics", "adapters", "storage", "errors"])
def test_the_reference_is_written_from_the_docstrings(site: Path, name: str) -> None:
    """A page of signatures, not an empty one."""
    text = (site / "reference" / f"{name}.html").read_text(encoding="utf-8")
    assert text.count('class="doc doc-heading"') >= 3
