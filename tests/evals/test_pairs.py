"""The pairs of questions that test reuse can be read, are complete, and name commands that may run."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ToolSettings
from evals.fixture_repository import build_fixture_repository
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

QUESTIONS = Path(__file__).resolve().parents[2] / "evals" / "questions"
NEEDED = {"id", "learned", "commands", "asked", "kind"}
SLOTS = {"name", "path", "number", "text", "extension"}


def read(name: str) -> list[dict[str, Any]]:
    lines = (QUESTIONS / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


NEAR_MISSES = read("near_misses.jsonl")
PARAPHRASES = read("paraphrases.jsonl")


@pytest.fixture(scope="module")
def toolbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toolbox]:
    yield Toolbox(build_fixture_repository(tmp_path_factory.mktemp("fixture")), ToolSettings())


@pytest.mark.parametrize(
    ("pairs", "needed", "optional", "least"),
    [(NEAR_MISSES, NEEDED | {"note"}, {"right"}, 160), (PARAPHRASES, NEEDED | {"right"}, set(), 90)],
    ids=["near_misses", "paraphrases"],
)
def test_every_pair_is_complete_and_stands_once(
    pairs: list[dict[str, Any]], needed: set[str], optional: set[str], least: int
) -> None:
    assert [pair["id"] for pair in pairs if not needed <= set(pair) <= needed | optional] == []
    for pair in pairs:
        plans = {name: pair[name] for name in ("commands", "right") if name in pair}
        assert all(isinstance(plan, list) and plan for plan in plans.values()), pair["id"]
        texts = [pair[name] for name in set(pair) - set(plans)] + [c for plan in plans.values() for c in plan]
        assert all(isinstance(text, str) and text.strip() for text in texts), pair["id"]
    assert len({pair["id"] for pair in pairs}) == len(pairs) >= least
    assert len({(pair["learned"], pair["asked"]) for pair in pairs}) == len(pairs)


def test_a_near_miss_is_another_question_with_another_plan() -> None:
    assert [pair["id"] for pair in NEAR_MISSES if pair["learned"] == pair["asked"]] == []
    assert [pair["id"] for pair in NEAR_MISSES if pair["commands"] == pair.get("right")] == []


def test_a_paraphrase_keeps_the_plan_or_fills_in_its_slots() -> None:
    kinds = Counter(pair["kind"] for pair in PARAPHRASES)
    assert set(kinds) == {"repeat", "case_and_blanks", "politeness", "several", *SLOTS}
    assert min(kinds["repeat"], kinds["politeness"], kinds["several"]) >= 10
    assert min(kinds[slot] for slot in SLOTS) >= 15
    for pair in PARAPHRASES:
        assert len(pair["commands"]) == len(pair["right"]), pair["id"]
        filled = pair["kind"] in SLOTS | {"several"}
        assert (pair["commands"] != pair["right"]) == filled, pair["id"]
        assert (pair["learned"] == pair["asked"]) == (pair["kind"] == "repeat"), pair["id"]


def test_every_command_may_run(toolbox: Toolbox) -> None:
    pairs = NEAR_MISSES + PARAPHRASES
    for command in {text for pair in pairs for text in [*pair["commands"], *pair.get("right", [])]}:
        toolbox.check(ToolCall(tool="command", args={"command": command}))
