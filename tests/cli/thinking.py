"""Scripts of a model that thinks, as YAML files for `scripted:FILE`, and the questions they answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

TOWERS = "By how many metres is the Marle tower taller than the Lindow tower?"
SUM = "What is two plus two?"
BANK = "How far is it from here to the bank?"
READINGS = ["the bank of the river", "the bank that keeps money"]

_PARTS = {
    "kind": "AND",
    "parts": [
        {"question": "How tall is the Marle tower in metres?", "depends_on": []},
        {"question": "How tall is the Lindow tower in metres?", "depends_on": []},
    ],
}
# The samples of the towers disagree until both heights are known.
_HEIGHTS = [
    {"when": "Established", "reply": "Answer: 12.5 m"},
    {"when": "How tall is the Marle tower", "reply": "Answer: 112.5 m"},
    {"when": "How tall is the Lindow tower", "reply": "Answer: 100 m"},
]
SCRIPTS: dict[str, dict[str, list[Any]]] = {
    "sure": {"worker": ["Answer: 4"]},
    "torn": {"worker": [f"Answer: {n}" for n in range(4, 90)], "planner": [{"error": "failed"}]},
    "towers": {
        "worker": [*_HEIGHTS, "Answer: 12 m", "Answer: 13 m", "Answer: 15 m", "Answer: 11 m"],
        "planner": [_PARTS],
    },
    "refusing": {"worker": ["I cannot answer this."], "planner": [{"error": "failed"}]},
    "broken": {"worker": [{"error": "unavailable"}], "planner": [{"error": "unavailable"}]},
    "ambiguous": {
        "planner": [{"question": BANK, "readings": READINGS}],
        "worker": [{"when": "keeps money", "reply": "Answer: 2 km"}, "Answer: 1 km"],
    },
}


def script(folder: Path, name: str, **changed: list[Any]) -> str:
    """Write a script into a folder; gives the model's name."""
    path = folder / f"{name}.yaml"
    roles = {**SCRIPTS[name], **changed}
    path.write_text(yaml.safe_dump({"roles": roles, "repeat_last": True}, allow_unicode=True), "utf-8")
    return f"scripted:{path}"


def plain_project(folder: Path, **settings: Any) -> Path:
    """A project in which no model restates a question, and none judges answers."""
    root = folder / "root"
    (root / ".reflect").mkdir(parents=True)
    section = {"normalize": "code", **settings}
    (root / ".reflect" / "config.yaml").write_text(yaml.safe_dump({"contractive": section}), "utf-8")
    return root
