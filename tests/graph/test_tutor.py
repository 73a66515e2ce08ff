"""Whole games through the graph: a scripted model plays, the tutor proves, checkpoints hold the proof."""

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import Field, PrivateAttr

from graph.tutor import build, play, workflow
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.progress_events import EVENTS
from nodes.reflective.services import open_services
from nodes.tutor.bulk import LARGEST
from nodes.tutor.export import export_of
from nodes.tutor.flat_moves import FlatMove
from nodes.tutor.games.generating import generate
from nodes.tutor.open_games import forget, tutor_of
from nodes.tutor.state import TutorState
from nodes.tutor.verifying import verified

GAME, SEED = "B02", 7
PASS = {"move": "PASS"}


class Player(Script):
    """Gives moves in turn, and keeps what it was shown.

    Attributes:
        moves: each a reply; the last one again and again.
    """

    moves: list[Any] = Field(default_factory=list)
    _prompts: list[str] = PrivateAttr(default_factory=list)

    def decide(self, role: str, prompt: str) -> Any:
        assert role == "worker"
        self._prompts.append(prompt)
        return self.moves[min(len(self._prompts), len(self.moves)) - 1]

    @property
    def prompts(self) -> list[str]:
        return self._prompts


def solution(game: str = GAME, seed: int = SEED) -> list[Any]:
    return [move.model_dump(mode="json") for move in generate(game, seed).solution]


def run_of(root: Path, script: Script, name: str, **settings: Any) -> RunContext:
    register_script(name, script)
    chosen = {f"tutor.{key}": value for key, value in settings.items()}
    return RunContext(root=str(root), model=f"scripted:{name}", settings=chosen)


async def test_a_game_is_generated_played_and_won(tmp_path: Path) -> None:
    script = Player(moves=solution())
    state = await play(GAME, SEED, run=run_of(tmp_path, script, "oracle"))
    assert (state["status"], state["ended"], state["failure"]) == ("won", "answered", None)
    assert state["answer"] and state["justification"] == 1.0
    assert state["score"] == state["turns"][-1]["score"] > 0
    assert state["usage"]["calls"] == len(state["turns"]) == len(script.prompts)
    # Without a thread nothing can come back to it.
    assert not Path(state["place"]).exists()


async def test_the_player_is_shown_the_goal_what_was_seen_and_the_last_answer(tmp_path: Path) -> None:
    script = Player(moves=solution())
    await play(GAME, SEED, run=run_of(tmp_path, script, "shown"))
    game = generate(GAME, SEED)
    assert all(game.goal in prompt and game.targets[0].wanted in prompt for prompt in script.prompts)
    assert "o1" not in script.prompts[0].split("Goal:")[1] and "o1: see below" in script.prompts[1]
    assert "c1 validated" in script.prompts[-1]


async def test_flat_moves_win_as_well(tmp_path: Path) -> None:
    flat = [FlatMove.model_validate(move).model_dump() for move in solution()]
    state = await play(GAME, SEED, run=run_of(tmp_path, Player(moves=flat), "flat"))
    assert state["status"] == "won"


@pytest.mark.parametrize("reply", ["I would look at the files first.", {"move": "DANCE"}, PASS])
async def test_a_player_that_does_not_play_loses(tmp_path: Path, reply: Any) -> None:
    state = await play(GAME, SEED, run=run_of(tmp_path, Player(moves=[reply]), "idle", most_turns=3))
    assert (state["status"], state["ended"], len(state["turns"])) == ("lost", "turns", 3)
    expected = "played" if reply == PASS else "illegal"
    assert {turn["otherwise"] or turn["outcome"] for turn in state["turns"]} == {expected}


async def test_a_model_that_fails_is_an_honest_end(tmp_path: Path) -> None:
    script = Player(moves=[*solution()[:1], {"error": "failed"}])
    state = await play(GAME, SEED, run=run_of(tmp_path, script, "failing"))
    assert (state["status"], state["ended"], len(state["turns"])) == ("lost", "player", 1)
    assert state["failure"]["node"] == "player" and not state["answer"]


@pytest.mark.parametrize(
    "start",
    [
        {"game": "B99", "seed": 1},
        {"game": "free", "goal": " "},
        {"game": "free", "goal": "x", "targets": [{"predicate": "smells"}]},
    ],
)
async def test_a_game_that_cannot_begin_says_why(tmp_path: Path, start: dict[str, Any]) -> None:
    state = await workflow.ainvoke(start, context=run_of(tmp_path, Player(moves=[PASS]), "none"))
    assert (
        state["status"] == "error"
        and state["failure"]["node"] == "begin"
        and state["failure"]["environmental"]
    )
    assert not state["turns"] and not state["nodes"]


async def test_a_free_game_is_about_the_roots_own_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    claim = {"predicate": "count", "subject": "a.txt", "value": 2, "unit": "lines"}
    moves = [
        {"move": "PROPOSE", "request": {"raw": "wc -l a.txt"}},
        {"move": "ASSERT", "claim": claim, "evidence": ["o1"]},
        {"move": "ANSWER", "claims": ["c1"]},
    ]
    target = {"predicate": "count", "open": ["value"], "subject": "a.txt", "unit": "lines"}
    run = run_of(tmp_path, Player(moves=moves), "own")
    state = await play("free", goal="How long is a.txt?", targets=[target], run=run)
    assert state["status"] == "won" and (tmp_path / "a.txt").exists()


async def test_a_menu_is_chosen_from_by_number(tmp_path: Path) -> None:
    script = Player(moves=[{"move": "PASS", "choice": 1}, "2", "2", {"move": "PASS", "choice": 999}])
    state = await play(GAME, SEED, run=run_of(tmp_path, script, "menu", arm="menu", most_turns=3))
    first, second, third = state["turns"]
    assert "Choose one of these" in script.prompts[0]
    assert first["move"] == "PROPOSE" and second["move"] and third["outcome"] == "lost"
    assert third["otherwise"] == "illegal"


async def test_every_event_has_the_fields_its_kind_promises(tmp_path: Path) -> None:
    run = run_of(tmp_path, Player(moves=solution()), "events")
    start = {"game": GAME, "seed": SEED}
    events = [event async for event in workflow.astream(start, context=run, stream_mode="custom")]
    told = [event for event in events if event["kind"] in ("tutor", "tutor_end")]
    assert [event["kind"] for event in told] == ["tutor"] * (len(told) - 1) + ["tutor_end"]
    assert [event["turn"] for event in told[:-1]] == list(range(len(told) - 1))
    assert all(set(event) == set(get_type_hints(EVENTS[event["kind"]])) for event in events)


class TestThreads:
    """A game is in its checkpoints: it is resumed, forked and played again without an engine that lives."""

    def graph(self, root: Path, moves: list[Any], name: str) -> tuple[Any, dict[str, Any], RunContext]:
        saver = InMemorySaver()
        config = {"configurable": {"thread_id": name}}
        return build(saver), config, run_of(root, Player(moves=moves), name)

    async def test_a_game_goes_on_in_an_engine_made_of_its_state(self, tmp_path: Path) -> None:
        graph, config, run = self.graph(tmp_path, solution(), "resumed")
        start: Any = {"game": GAME, "seed": SEED}
        seen: list[str] = []
        while not seen or (await graph.aget_state(config)).next:
            await graph.ainvoke(start, config, context=run, interrupt_after=["tutor"])
            values = (await graph.aget_state(config)).values
            forget(values["name"])
            start = None
            seen.append(values["digest"])
        assert values["status"] == "won" and values["failure"] is None
        whole = await play(GAME, SEED, run=run_of(tmp_path, Player(moves=solution()), "whole"))
        strip = ("stale", "signature", "message")
        for turn, other in zip(values["turns"], whole["turns"], strict=True):
            assert {k: v for k, v in turn.items() if k not in strip} == {
                k: v for k, v in other.items() if k not in strip
            }
        # Files of a thread stay for whoever forks it.
        assert Path(values["directory"]).is_dir()

    async def test_an_export_of_a_thread_is_proved_again(self, tmp_path: Path) -> None:
        graph, config, run = self.graph(tmp_path, solution(), "exported")
        values = await graph.ainvoke({"game": GAME, "seed": SEED}, config, context=run)
        forget(values["name"])
        state = TutorState.model_validate(values)
        document = await export_of(state, open_services(run))
        assert await verified(document) == []
        assert json.loads(document)["won"] is True

    async def test_a_step_that_was_lost_is_played_once(self, tmp_path: Path) -> None:
        """The engine that lives has played a move that no checkpoint holds: it is not gone on with."""
        graph, config, run = self.graph(tmp_path, solution(), "lost")
        await graph.ainvoke({"game": GAME, "seed": SEED}, config, context=run, interrupt_before=["tutor"])
        state = TutorState.model_validate((await graph.aget_state(config)).values)
        ahead = await tutor_of(state, open_services(run))
        assert (await ahead.play(state.move)).gained > 0
        values = await graph.ainvoke(None, config, context=run)
        assert values["status"] == "won"
        whole = await play(GAME, SEED, run=run_of(tmp_path, Player(moves=solution()), "once"))
        assert values["score"] == whole["score"] and len(values["turns"]) == len(whole["turns"])

    async def test_turns_that_were_changed_are_not_gone_on_with(self, tmp_path: Path) -> None:
        graph, config, run = self.graph(tmp_path, solution(), "damaged")
        await graph.ainvoke({"game": GAME, "seed": SEED}, config, context=run, interrupt_after=["tutor"])
        state = (await graph.aget_state(config)).values
        turns = [{**state["turns"][0], "gained": 1000, "score": 1000}]
        await graph.aupdate_state(config, {"turns": {"__overwrite__": turns}}, as_node="tutor")
        forget(state["name"])
        values = await graph.ainvoke(None, config, context=run)
        assert values["status"] == "error" and values["failure"]["kind"] == "GameDamaged"

    async def test_a_state_that_says_it_has_won_has_not(self, tmp_path: Path) -> None:
        graph, config, run = self.graph(tmp_path, solution(), "forged")
        await graph.ainvoke({"game": GAME, "seed": SEED}, config, context=run, interrupt_after=["tutor"])
        forged = {"ended": "answered", "status": "won", "answer": ["c1"]}
        await graph.aupdate_state(config, forged, as_node="tutor")
        forget((await graph.aget_state(config)).values["name"])
        values = await graph.ainvoke(None, config, context=run)
        assert (values["status"], values["answer"], values["ended"]) == ("lost", [], "turns")

    @pytest.mark.parametrize("digest", ["", "made to fit"])
    async def test_a_turn_that_was_written_into_a_state_wins_nothing(
        self, tmp_path: Path, digest: str
    ) -> None:
        graph, config, run = self.graph(tmp_path, solution(), f"written{len(digest)}")
        await graph.ainvoke({"game": GAME, "seed": SEED}, config, context=run, interrupt_after=["tutor"])
        state = TutorState.model_validate((await graph.aget_state(config)).values)
        engine = await tutor_of(state, open_services(run))
        written = {"number": 2, "move": "ANSWER", "outcome": "won", "ended": "answered", "observation": ""}
        engine.turns.append(engine.turns[0].model_copy(update=written))
        forged: dict[str, Any] = {
            "turns": [engine.turns[1].model_dump(mode="json")],
            "digest": engine.digest if digest else "",
            "ended": "answered",
        }
        await graph.aupdate_state(config, forged, as_node="tutor")
        forget(state.name)
        values = await graph.ainvoke(None, config, context=run)
        assert (values["status"], values["ended"], values["answer"]) == ("error", None, [])
        assert values["failure"]["kind"] == "GameDamaged"

    async def test_a_thread_plays_one_game_after_another(self, tmp_path: Path) -> None:
        moves = [*solution(), *solution()]
        graph, config, run = self.graph(tmp_path, moves, "again")
        first = await graph.ainvoke({"game": GAME, "seed": SEED}, config, context=run)
        second = await graph.ainvoke({"game": GAME, "seed": SEED}, config, context=run)
        assert first["status"] == second["status"] == "won"
        assert len(first["turns"]) == len(second["turns"]) and len(first["edges"]) == len(second["edges"])

    async def test_large_observations_are_kept_beside_the_checkpoints(self, tmp_path: Path) -> None:
        (tmp_path / "big.txt").write_text("needle\n" + "hay and straw\n" * 2000)
        claim = {"predicate": "count", "subject": "big.txt", "value": 2001, "unit": "lines"}
        moves = [
            {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": "big.txt"}}},
            {"move": "ASSERT", "claim": claim, "evidence": ["o1"]},
            {"move": "ANSWER", "claims": ["c1"]},
        ]
        graph, config, run = self.graph(tmp_path, moves, "large")
        start = {"game": "free", "goal": "How long is it?"}
        await graph.ainvoke(start, config, context=run, interrupt_after=["tutor"])
        values = (await graph.aget_state(config)).values
        assert len(json.dumps(values["nodes"]["o1"])) < LARGEST and values["nodes"]["o1"]["data"]["key"]
        forget(values["name"])
        whole = await graph.ainvoke(None, config, context=run)
        assert whole["status"] == "won"

    async def test_an_observation_whose_record_is_lost_does_not_count(self, tmp_path: Path) -> None:
        (tmp_path / "big.txt").write_text("hay and straw\n" * 2000)
        claim = {"predicate": "count", "subject": "big.txt", "value": 2000, "unit": "lines"}
        moves = [
            {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": "big.txt"}}},
            {"move": "ASSERT", "claim": claim, "evidence": ["o1"]},
            {"move": "ANSWER", "claims": ["c1"]},
        ]
        graph, config, run = self.graph(tmp_path, moves, "gone")
        start = {"game": "free", "goal": "How long is it?"}
        await graph.ainvoke(start, config, context=run, interrupt_after=["tutor"])
        values = (await graph.aget_state(config)).values
        forget(values["name"])
        for record in Path(values["place"]).rglob("*.json"):
            record.unlink()
        after = await graph.ainvoke(None, config, context=run)
        assert after["status"] == "lost" and after["notes"] and not after["answer"]
        assert after["turns"][1]["status"] == "undecidable"
