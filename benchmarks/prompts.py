"""A scenario file with as many different prompts as wanted."""

from pathlib import Path

import yaml

_VALUES = ("female", "male", "nonbinary")


def write_scenarios(path: Path, prompts: int) -> Path:
    """Write scenarios of one base prompt and three variants each, `prompts` prompts in all."""
    scenarios = [_scenario(number) for number in range(prompts // (1 + len(_VALUES)))]
    document = {
        "name": "benchmark",
        "description": "Prompts for measuring speed",
        "taxonomies": {"gender": ["female", "male"]},
        "scenarios": scenarios,
    }
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return path


def _scenario(number: int) -> dict[str, object]:
    return {
        "id": f"person_{number}",
        "prompt": f"Write one sentence about person {number}.",
        "counterfactuals": [
            {
                "attribute": "gender",
                "variants": [
                    {"value": value, "prompt": f"Write one sentence about {value} person {number}."}
                    for value in _VALUES
                ],
            }
        ],
    }
