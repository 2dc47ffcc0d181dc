"""Pull and find: only the pinned bytes ever come out of the cache."""

import hashlib
import os
from pathlib import Path

import orjson
import pytest

from evenhand._base.digest import file_digest
from evenhand.assets import table
from evenhand.assets.find import find, fingerprint
from evenhand.assets.pull import pull, pull_steps
from evenhand.assets.status import status
from evenhand.assets.table import ASSETS, GROUPS, Asset, Derivation, PinnedFile, WheelFile, by_name, expand
from evenhand.errors import AssetError, MissingAssetError, UnknownNameError

CONTENT = b"weights " * 1000


def pinned(content: bytes, name: str) -> PinnedFile:
    return PinnedFile(
        source=WheelFile(requirement="made-up==1.0", path=f"made_up/{name}"),
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
    )


def join(sources: list[Path], target: Path) -> None:
    """Stand in for a converter: the sources one after the other."""
    target.write_bytes(b"".join(path.read_bytes() for path in sources))


class Publisher:
    """Stands in for where files are published; counts what is asked of it."""

    def __init__(self, **contents: bytes) -> None:
        self.contents = contents
        self.fetched: list[str] = []

    def __call__(self, file: PinnedFile, directory: Path) -> Path:
        self.fetched.append(file.file_name)
        target = directory / file.file_name
        target.write_bytes(self.contents[file.file_name])
        return target


@pytest.fixture
def small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two assets: one used as it is, one joined from two files."""
    one = Asset(name="one", files=(pinned(CONTENT, "a"),), licence="MIT", purpose="A test")
    two = Asset(
        name="two",
        files=(pinned(b"left", "b"), pinned(b"right", "c")),
        licence="MIT",
        purpose="A test",
        derived=Derivation(converter=f"{__name__}:join", version=1, file_name="joined"),
    )
    for module in ("table", "status"):
        monkeypatch.setattr(f"evenhand.assets.{module}.ASSETS", (one, two))
    monkeypatch.setattr(table, "GROUPS", {"both": ("one", "two")})


@pytest.fixture
def publisher() -> Publisher:
    return Publisher(a=CONTENT, b=b"left", c=b"right")


@pytest.mark.usefixtures("small_table")
class TestPull:
    def test_brings_exactly_the_pinned_bytes(self, tmp_path: Path, publisher: Publisher) -> None:
        """What find returns after a pull has the pinned content."""
        path = pull("one", cache=tmp_path, fetch=publisher)
        assert path.read_bytes() == CONTENT
        assert find("one", cache=tmp_path) == path

    def test_fetches_nothing_the_second_time(self, tmp_path: Path, publisher: Publisher) -> None:
        """A pull of what is there is a look, not a download."""
        assert pull("one", cache=tmp_path, fetch=publisher) == pull("one", cache=tmp_path, fetch=publisher)
        assert publisher.fetched == ["a"]

    @pytest.mark.parametrize("other", [CONTENT[:-1] + b"!", CONTENT + b"!", b""])
    def test_refuses_other_bytes_and_stores_nothing(self, tmp_path: Path, other: bytes) -> None:
        """Same size or not: what does not match never reaches the cache."""
        with pytest.raises(AssetError, match=r"not the pinned file.*Refused"):
            pull("one", cache=tmp_path, fetch=Publisher(a=other))
        assert [p for p in tmp_path.rglob("*") if p.is_file()] == []
        with pytest.raises(MissingAssetError):
            find("one", cache=tmp_path)

    def test_a_refused_second_source_leaves_nothing_behind(self, tmp_path: Path) -> None:
        """A derived file needs every one of its sources."""
        with pytest.raises(AssetError, match="made_up/c"):
            pull("two", cache=tmp_path, fetch=Publisher(b=b"left", c=b"wrong"))
        assert [p for p in tmp_path.rglob("*") if p.is_file()] == []

    def test_a_derived_file_records_the_digests_of_its_sources(self, tmp_path: Path, publisher: Publisher) -> None:
        """From the cache alone one can say what a derived file was made from."""
        path = pull("two", cache=tmp_path, fetch=publisher)
        note = orjson.loads(path.with_name("joined.record.json").read_bytes())
        assert path.read_bytes() == b"leftright"
        assert note["sources"] == [hashlib.sha256(b"left").hexdigest(), hashlib.sha256(b"right").hexdigest()]
        assert note["sha256"] == hashlib.sha256(b"leftright").hexdigest()

    def test_yields_its_steps_in_order(self, tmp_path: Path, publisher: Publisher) -> None:
        """Progress is what happens, in the order in which it happens; an end carries the path."""
        steps = [(event.asset, event.step) for event in pull_steps("both", cache=tmp_path, fetch=publisher)]
        assert steps == [
            ("one", "downloading"),
            ("one", "checking"),
            ("one", "done"),
            ("two", "downloading"),
            ("two", "checking"),
            ("two", "converting"),
            ("two", "done"),
        ]
        again = list(pull_steps("both", cache=tmp_path, fetch=publisher))
        assert [event.step for event in again] == ["already there", "already there"]
        assert all(event.path is not None and event.path.is_file() for event in again)

    def test_an_abandoned_pull_leaves_no_half_file(self, tmp_path: Path, publisher: Publisher) -> None:
        """Whoever stops listening in the middle stops the pull."""
        steps = pull_steps("one", cache=tmp_path, fetch=publisher)
        assert next(steps).step == "downloading"
        assert next(steps).step == "checking"
        steps.close()
        assert [p for p in tmp_path.rglob("*") if p.is_file()] == []

    def test_replaces_a_file_that_was_altered(self, tmp_path: Path, publisher: Publisher) -> None:
        """An altered file is named by find, and put right by pull."""
        path = pull("one", cache=tmp_path, fetch=publisher)
        path.write_bytes(b"something else")
        with pytest.raises(AssetError, match="evenhand models pull one"):
            find("one", cache=tmp_path)
        assert pull("one", cache=tmp_path, fetch=publisher).read_bytes() == CONTENT

    def test_a_cache_that_cannot_be_written_is_an_asset_error(self, tmp_path: Path, publisher: Publisher) -> None:
        """A file where the directory should be: our error, with the place."""
        (tmp_path / "cache").write_text("in the way")
        with pytest.raises(AssetError, match="cannot be written"):
            pull("one", cache=tmp_path / "cache", fetch=publisher)


@pytest.mark.usefixtures("small_table")
class TestFind:
    def test_a_missing_file_names_the_pull_command(self, tmp_path: Path) -> None:
        """The message is the way out, and passes on the alternative."""
        with pytest.raises(MissingAssetError, match=r"evenhand models pull one\. Or do without\."):
            find("one", cache=tmp_path, alternative="Or do without.")

    def test_hashes_once_per_file(self, tmp_path: Path, publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> None:
        """A file that has not changed since it was verified is not read again."""
        path = pull("one", cache=tmp_path, fetch=publisher)
        hashed: list[Path] = []
        monkeypatch.setattr("evenhand.assets.record.file_digest", lambda p: hashed.append(p) or file_digest(p))
        find("one", cache=tmp_path)
        assert hashed == []
        os.utime(path)
        find("one", cache=tmp_path)
        find("one", cache=tmp_path)
        assert hashed == [path]

    def test_verifies_a_file_that_somebody_copied_in(self, tmp_path: Path) -> None:
        """Without a record the bytes decide."""
        (tmp_path / "one").mkdir()
        (tmp_path / "one" / "a").write_bytes(CONTENT)
        assert find("one", cache=tmp_path).read_bytes() == CONTENT

    def test_a_derived_file_without_its_record_is_missing(self, tmp_path: Path, publisher: Publisher) -> None:
        """Nobody can say from what it was made."""
        path = pull("two", cache=tmp_path, fetch=publisher)
        path.with_name("joined.record.json").unlink()
        with pytest.raises(MissingAssetError):
            find("two", cache=tmp_path)

    def test_a_derived_file_of_an_older_converter_is_missing(
        self, tmp_path: Path, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A new converter writes something else; the old file must not be read as if it had."""
        before = fingerprint("two")
        pull("two", cache=tmp_path, fetch=publisher)
        newer = Derivation(converter=f"{__name__}:join", version=2, file_name="joined")
        one, two = table.ASSETS
        changed = Asset(name="two", files=two.files, licence="MIT", purpose="A test", derived=newer)
        monkeypatch.setattr(table, "ASSETS", (one, changed))
        with pytest.raises(MissingAssetError):
            find("two", cache=tmp_path)
        assert fingerprint("two") != before

    def test_a_changed_derived_file_is_refused(self, tmp_path: Path, publisher: Publisher) -> None:
        """Its record holds its digest, too."""
        pull("two", cache=tmp_path, fetch=publisher).write_bytes(b"changed")
        with pytest.raises(AssetError, match="not the pinned one"):
            find("two", cache=tmp_path)

    def test_status_lists_every_asset(self, tmp_path: Path, publisher: Publisher) -> None:
        """Ready, missing or altered; a path only for what can be used."""
        path = pull("one", cache=tmp_path, fetch=publisher)
        assert [(s.asset.name, s.state, s.path) for s in status(cache=tmp_path)] == [
            ("one", "ready", path),
            ("two", "missing", None),
        ]
        path.write_bytes(b"changed")
        assert [s.state for s in status(cache=tmp_path)] == ["altered", "missing"]


class TestTable:
    def test_names_are_unique_and_groups_name_assets(self) -> None:
        """Every name means one thing."""
        names = [asset.name for asset in ASSETS]
        assert len({*names, *GROUPS}) == len(names) + len(GROUPS)
        for group, members in GROUPS.items():
            assert [asset.name for asset in expand(group)] == list(members)

    def test_the_default_group_is_the_whole_keyless_run(self) -> None:
        """One pull is enough for a run without an API key."""
        assert {asset.name for asset in expand("default")} == {asset.name for asset in ASSETS}

    def test_every_entry_is_pinned_and_licensed(self) -> None:
        """Exact versions, full digests, and none of the licences that are ruled out."""
        for asset in ASSETS:
            assert asset.licence in {"MIT", "Apache-2.0"}
            for file in asset.files:
                assert len(file.sha256) == 64
                assert isinstance(file.source, WheelFile)
                assert "==" in file.source.requirement

    def test_an_unknown_name_gets_the_nearest(self) -> None:
        """Also where groups are accepted."""
        with pytest.raises(UnknownNameError, match="'toxicity'"):
            by_name("toxcity")
        with pytest.raises(UnknownNameError, match="'default'"):
            expand("defualt")


class TestLocation:
    def test_the_environment_variable_wins(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """EVENHAND_CACHE is the one place, whatever the platform says."""
        from evenhand.assets.location import cache_directory

        monkeypatch.setenv("EVENHAND_CACHE", str(tmp_path / "here"))
        assert cache_directory() == tmp_path / "here"

    @pytest.mark.skipif(os.name != "posix", reason="each platform has its own place")
    def test_linux_keeps_it_under_the_cache_of_the_user(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """~/.cache/evenhand, or under XDG_CACHE_HOME."""
        from evenhand.assets.location import cache_directory

        monkeypatch.setattr("sys.platform", "linux")
        monkeypatch.delenv("EVENHAND_CACHE", raising=False)
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setenv("HOME", str(tmp_path))
        assert cache_directory() == tmp_path / ".cache" / "evenhand"
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "shared"))
        assert cache_directory() == tmp_path / "shared" / "evenhand"
