"""Every generated game, played by its own solution with real tools, and its export proved again."""

import asyncio
import json
from pathlib import Path

import pytest

from configs.settings import ToolSettings
from configs.tutor import Arm, TutorSettings
from nodes.tutor.engine import Tutor
from nodes.tutor.export import export
from nodes.tutor.games.generating import GAMES, generate
from nodes.tutor.games.writing import write_files
from nodes.tutor.observing.observing import Observer
from nodes.tutor.verifying import verified, verify

pytestmark = pytest.mark.integration

ARMS: tuple[Arm, ...] = ("none", "all")


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("id", GAMES)
async def test_a_game_is_won_by_its_solution_and_proved_again(tmp_path: Path, id: str, seed: int) -> None:
    game = generate(id, seed)
    for arm in ARMS:
        write_files(game, tmp_path / arm)
        name = f"{id}-{seed}-{arm}"
        settings = TutorSettings(arm=arm)
        tutor = Tutor(game, name, Observer(tmp_path / arm, ToolSettings(), name), settings)
        for move in game.solution:
            await tutor.play(move.model_dump(mode="json"))
        assert tutor.ended == "answered" and len(tutor.turns) == game.par, tutor.turns[-1].message
        assert tutor.justification() == 1.0
        assert await verified(export(tutor)) == []


def test_a_document_is_verified_without_an_event_loop(tmp_path: Path) -> None:
    game = generate("B01", 1)
    write_files(game, tmp_path / "files")
    tutor = Tutor(game, "B01-1-x", Observer(tmp_path / "files", ToolSettings(), "B01-1-x"), TutorSettings())
    asyncio.run(tutor.play(game.solution[0].model_dump(mode="json")))
    document = export(tutor)
    assert verify(document) == [] and json.loads(document)["ended"] is None
    assert verify(document.replace(b'"won":false', b'"won":true'))
