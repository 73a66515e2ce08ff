"""Exported games: proved again as they are, and noticed whatever is changed in them."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import ToolSettings
from configs.tutor import TutorSettings
from nodes.tutor.calling_again import differences
from nodes.tutor.engine import Tutor
from nodes.tutor.export import export, seal_of, written
from nodes.tutor.facts import Measure
from nodes.tutor.games.game import Target
from nodes.tutor.games.generating import generate
from nodes.tutor.games.writing import write_files
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.observing.reading import facts_of
from nodes.tutor.open_games import free_game
from nodes.tutor.verifying import verified

NAME = "B02-7-export"
EXTRA: list[Any] = [
    "words",
    {"move": "PROPOSE", "request": {"raw": "rm -rf x"}},
    {"move": "ASSERT", "claim": {"predicate": "exists", "subject": "nothing"}},
    {"move": "ASK", "question": "Where?"},
]


async def played(directory: Path, arm: str = "none") -> Tutor:
    """A game that is won, with moves that were not needed."""
    game = generate("B02", 7)
    write_files(game, directory)
    tutor = Tutor(game, NAME, Observer(directory, ToolSettings(), NAME), TutorSettings(arm=arm))  # type: ignore[arg-type]  # an Arm
    for move in [*EXTRA, *game.solution]:
        await tutor.play(move if isinstance(move, str | dict) else move.model_dump(mode="json"))
    return tutor


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return export(asyncio.run(played(tmp_path_factory.mktemp("verify") / "files")))


@pytest.mark.parametrize("arm", ["none", "all"])
async def test_an_export_is_proved_again(tmp_path: Path, arm: str) -> None:
    assert await verified(export(await played(tmp_path / "files", arm))) == []


async def test_an_answer_the_tutor_composed_is_proved_again(tmp_path: Path) -> None:
    game = generate("B02", 7)
    write_files(game, tmp_path / "files")
    observer = Observer(tmp_path / "files", ToolSettings(), NAME)
    tutor = Tutor(game, NAME, observer, TutorSettings(arm="all"))
    for move in game.solution[:-1]:
        await tutor.play(move.model_dump(mode="json"))
    while tutor.ended is None:
        await tutor.play({"move": "PASS"})
    assert tutor.ended == "composed" and await verified(export(tutor)) == []


async def test_a_game_that_was_played_with_other_files_is_not_proved(tmp_path: Path) -> None:
    game = generate("B02", 7)
    other = game.model_copy(update={"files": {path: f"{text}#\n" for path, text in game.files.items()}})
    write_files(other, tmp_path / "files")
    tutor = Tutor(game, NAME, Observer(tmp_path / "files", ToolSettings(), NAME), TutorSettings())
    for move in game.solution:
        await tutor.play(move.model_dump(mode="json"))
    problems = await verified(export(tutor))
    assert problems and all("stdout" in problem for problem in problems)


async def test_the_same_game_is_the_same_text(document: bytes) -> None:
    value = json.loads(document)
    assert written(value) == document and document.endswith(b"}\n") and value["won"] is True


def sealed(value: dict[str, Any]) -> bytes:
    """As somebody would write it who knows how seals are made."""
    return written({**value, "seal": seal_of(value)})


@settings(max_examples=40)
@given(st.data())
async def test_no_flipped_bit_goes_unnoticed(document: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(document) - 1))
    changed = bytearray(document)
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    assert await verified(bytes(changed))


def change_status(value: dict[str, Any]) -> None:
    next(node for node in value["nodes"] if node["kind"] == "assumption")["status"] = "validated"


def change_score(value: dict[str, Any]) -> None:
    value["score"] += 1


def drop_edge(value: dict[str, Any]) -> None:
    value["edges"].pop()


def add_edge(value: dict[str, Any]) -> None:
    value["edges"].append({"kind": "supports", "source": "o1", "target": "s1", "turn": 1})


def change_verdict(value: dict[str, Any]) -> None:
    value["turns"][2]["status"] = "validated"


def swap_turns(value: dict[str, Any]) -> None:
    value["turns"][0], value["turns"][1] = value["turns"][1], value["turns"][0]


def drop_turn(value: dict[str, Any]) -> None:
    value["turns"].pop()


def change_type(value: dict[str, Any]) -> None:
    value["score"] = float(value["score"])


def add_field(value: dict[str, Any]) -> None:
    value["note"] = "trust me"


def other_seed(value: dict[str, Any]) -> None:
    value["game"]["seed"] = 8


def other_version(value: dict[str, Any]) -> None:
    value["version"] = 2


def change_output(value: dict[str, Any]) -> None:
    """An observation changed and sealed again."""
    for node in value["nodes"]:
        if node["kind"] == "observation":
            node["data"]["stdout"] += "more\n"
            node["data"] = Observation.model_validate(node["data"]).sealed().model_dump(mode="json")


@pytest.mark.parametrize(
    "change",
    [
        change_status, change_score, drop_edge, add_edge, change_verdict, swap_turns, drop_turn, change_type,
        add_field, other_seed, other_version, change_output,
    ],
)  # fmt: skip
async def test_a_game_that_was_changed_and_sealed_again_is_not_proved(document: bytes, change: Any) -> None:
    value = json.loads(document)
    change(value)
    assert await verified(sealed(value))


class Forger(Observer):
    """Shows a player what is so, and records another number of lines."""

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        made = await super().observe(request, id=id, turn=turn)
        readings = [
            reading.model_copy(update={"output": reading.output.replace("1", "9")})
            if reading.question.ask == "sizes"
            else reading
            for reading in made.readings
        ]
        return made.model_copy(update={"readings": tuple(readings)}).sealed()


async def test_a_win_by_forged_records_is_not_proved(tmp_path: Path) -> None:
    game = generate("B02", 7)
    write_files(game, tmp_path / "files")
    tutor = Tutor(game, NAME, Forger(tmp_path / "files", ToolSettings(), NAME), TutorSettings())
    for move in game.solution[:2]:
        await tutor.play(move.model_dump(mode="json"))
    seen = facts_of(Observation.model_validate(tutor.graph.nodes["o2"].data))
    total = sum(fact.value for fact in seen if isinstance(fact, Measure))
    claim = {**game.expected[0].model_dump(mode="json"), "value": total}
    await tutor.play({"move": "ASSERT", "claim": claim, "evidence": ["o1", "o2"]})
    await tutor.play({"move": "ANSWER", "claims": ["c1"]})
    assert tutor.is_won and total != game.expected[0].value
    assert await verified(export(tutor)) == ["The call of turn 2 has another meaning now."]


async def test_an_answer_composed_of_what_has_changed_since_is_replayed_as_rejected(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    wanted = Target(predicate="count", open=frozenset({"value"}), subject="a.txt", unit="lines")
    observer = Observer(tmp_path, ToolSettings(), "free-0-x")
    tutor = Tutor(free_game("How long?", [wanted]), "free-0-x", observer, TutorSettings(arm="all"))
    claim = {"predicate": "count", "subject": "a.txt", "value": 1, "unit": "lines"}
    await tutor.play({"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": "a.txt"}}})
    await tutor.play({"move": "ASSERT", "claim": claim, "evidence": ["o1"]})
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    while tutor.turns[-1].by == "player":
        await tutor.play({"move": "PASS"})
    assert (tutor.turns[-1].outcome, tutor.turns[-1].stale) == ("rejected", ("o1",))
    assert await verified(export(tutor)) == []


@pytest.mark.parametrize("command", ["ls -la", "ls -lR valley", "stat valley/pack_valley.py"])
async def test_times_of_files_are_no_part_of_a_game_but_names_and_sizes_are(
    tmp_path: Path, command: str
) -> None:
    """A game is proved again on another day, in other directories."""
    game = generate("B02", 7)
    write_files(game, tmp_path / "files")
    for path in (tmp_path / "files").rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    tutor = Tutor(game, NAME, Observer(tmp_path / "files", ToolSettings(), NAME), TutorSettings())
    await tutor.play({"move": "PROPOSE", "request": {"raw": command}})
    assert await verified(export(tutor)) == []
    for old, new in (("valley", "Valley"), ("\n-rw", "\ndrw"), ("regular file", "directory")):
        made = Observation.model_validate(tutor.graph.nodes["o1"].data)
        changed = made.model_copy(update={"stdout": made.stdout.replace(old, new)}).sealed()
        assert list(differences(changed, made)) == (["stdout"] if changed.stdout != made.stdout else [])


async def test_a_document_of_endless_levels_is_told_and_not_read(document: bytes) -> None:
    value = json.loads(document)
    nested: list[Any] = []
    for _ in range(400):
        nested = [nested]
    value["turns"][0]["given"] = nested
    assert await verified(sealed(value)) == ["It has more levels of lists and objects than any game has."]


@pytest.mark.parametrize("text", [b"", b"{}", b"[]\n", b"null\n", b"\xff", b"[" * 100_000, b'{"seal":NaN}\n'])
async def test_what_is_no_document_is_said_to_be_none(text: bytes) -> None:
    assert await verified(text)


async def test_a_free_game_is_replayed_from_its_observations(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    tutor = Tutor(
        free_game("How long?", []),
        "free-0-x",
        Observer(tmp_path, ToolSettings(), "free-0-x"),
        TutorSettings(),
    )
    call = {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": "a.txt"}}}
    claim = {"predicate": "count", "subject": "a.txt", "value": 1, "unit": "lines"}
    await tutor.play(call)
    await tutor.play({"move": "ASSERT", "claim": claim, "evidence": ["o1"]})
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    # What was proved has changed since; a replay knows that it had.
    assert (await tutor.play({"move": "ANSWER", "claims": ["c1"]})).outcome == "rejected"
    await tutor.play(call)
    await tutor.play({"move": "ASSERT", "claim": {**claim, "value": 2}, "evidence": ["o2"]})
    assert (await tutor.play({"move": "ANSWER", "claims": ["c2"]})).outcome == "won"
    (tmp_path / "a.txt").unlink()
    document = export(tutor)
    assert await verified(document) == []
    value = json.loads(document)
    value["nodes"] = [node for node in value["nodes"] if node["id"] != "o2"]
    assert await verified(sealed(value))
