"""Makes the builders of `metrics_outputs` importable: pytest's importlib mode puts no test folder on the path."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
