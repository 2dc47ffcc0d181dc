"""Evenhand measures whether generative AI treats people evenly."""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    # looked up when asked for: reading package metadata takes longer than everything else that an import does
    if name != "__version__":
        raise AttributeError(f"module 'evenhand' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("evenhand")
    except PackageNotFoundError:  # a source tree that was never installed
        return "0+unknown"
