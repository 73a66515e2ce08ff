"""A person who plays: the graph waits for each move, and takes it in every form it may be given in."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.tutor import TutorGraph, build
from nodes.reflective.context import RunContext
from nodes.tutor.games.generating import generate

CONFIG: Any = {"configurable": {"thread_id": "person"}}


@pytest.fixture
def run(tmp_path: Path) -> RunContext:
    settings = {"tutor.player": "person", "tutor.arm": "menu", "tutor.most_turns": 4}
    return RunContext(root=str(tmp_path), model="scripted:nobody-asks-it", settings=settings)


async def asked(graph: TutorGraph, given: Any, run: RunContext) -> dict[str, Any]:
    """What the game asks next."""
    values = await graph.ainvoke(given, CONFIG, context=run, durability="sync")
    (question,) = values["__interrupt__"]
    return dict(question.value)


async def test_the_game_waits_for_each_move(run: RunContext) -> None:
    graph = build(InMemorySaver())
    question = await asked(graph, {"game": "B02", "seed": 7}, run)
    assert (question["kind"], question["turn"], question["most_turns"]) == ("move", 1, 4)
    assert question["goal"] == generate("B02", 7).goal and question["menu"]
    first = question["menu"][0]["move"]
    question = await asked(graph, Command(resume={"move": "1"}), run)
    assert question["turn"] == 2 and question["message"]
    question = await asked(graph, Command(resume={"move": "PASS"}), run)
    question = await asked(graph, Command(resume={"move": {"move": "ASK", "question": "Where?"}}), run)
    assert question["turn"] == 4
    values = await graph.ainvoke(Command(resume="prose"), CONFIG, context=run, durability="sync")
    assert (values["status"], values["model"], values["usage"]["calls"]) == ("lost", "person", 0)
    turns = values["turns"]
    assert turns[0]["given"] == first
    assert [turn["move"] for turn in turns] == [first["move"], "PASS", "ASK", ""]
    assert turns[3]["given"] == "prose" and turns[3]["otherwise"] == "illegal"


@pytest.mark.parametrize("number", ["0", "99", "-1"])
async def test_a_number_that_is_not_of_the_menu_is_no_move(run: RunContext, number: str) -> None:
    graph = build(InMemorySaver())
    await asked(graph, {"game": "B02", "seed": 7}, run)
    question = await asked(graph, Command(resume={"move": number}), run)
    assert "no move" in question["message"].lower() or "one JSON object" in question["message"]
