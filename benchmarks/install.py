"""What a base install takes: the wheel with its required packages, in a fresh environment. Needs a package index."""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.processes import ROOT


def site_packages_mb() -> float:
    """Build the wheel, install it without extras, and add up the files."""
    with tempfile.TemporaryDirectory() as folder:
        wheels, environment = Path(folder) / "wheels", Path(folder) / "venv"
        _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(ROOT))
        _run(sys.executable, "-m", "venv", str(environment))
        (wheel,) = wheels.glob("*.whl")
        _run(str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel))
        (packages,) = environment.glob("lib/python*/site-packages")
        if (packages / "torch").exists():
            raise RuntimeError("the base install brings torch")
        return sum(file.lstat().st_size for file in packages.rglob("*") if file.is_file()) / 2**20


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
