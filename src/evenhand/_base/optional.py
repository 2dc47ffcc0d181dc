"""Heavy packages are optional: imported when used, with an error that names the install command."""

from importlib import import_module
from types import ModuleType

from evenhand.errors import MissingExtraError


def require(package: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `package`, or say which extra brings it.

    Parameters
    ----------
    package
        Import name, such as ``"onnxruntime"``.
    extra
        The extra of this distribution that installs it.
    purpose
        What it is needed for, as the subject of a sentence: ``"Sentence embeddings"``.

    Raises
    ------
    MissingExtraError
        If the package is not installed. An import error *inside* an installed package is not masked.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] == package.split(".")[0]:
            raise MissingExtraError(package, extra, purpose) from error
        raise
