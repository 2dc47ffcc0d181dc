"""Where model files are kept: one directory per user, or the one that EVENHAND_CACHE names."""

import os
import sys
from pathlib import Path


def cache_directory() -> Path:
    """Return the cache directory; it need not exist yet.

    Notes
    -----
    ``EVENHAND_CACHE`` if it is set, otherwise the platform's place for files that can be fetched again:
    ``~/.cache/evenhand`` (or under ``XDG_CACHE_HOME``), ``~/Library/Caches/evenhand`` on macOS,
    ``%LOCALAPPDATA%\\evenhand\\cache`` on Windows.
    """
    chosen = os.environ.get("EVENHAND_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "evenhand"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "evenhand" / "cache"
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "evenhand"
