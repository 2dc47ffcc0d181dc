"""Evenhand measures whether generative AI treats people evenly."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("evenhand")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["__version__"]
