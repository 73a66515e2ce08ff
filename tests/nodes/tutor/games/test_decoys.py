"""What looks like the answer is not, and a player who overlooks a part of the goal falls for it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nodes.tutor.games.game import Game
from nodes.tutor.games.generating import generate
from nodes.tutor.games.writing import write_files
from tests.nodes.tutor.games import solving, truth

SEEDS = range(40)


def said(game: Game, files: dict[str, str]) -> list[set[str]]:
    """Solutions of a game as they would be with other files."""
    changed = game.model_copy(update={"files": files})
    return [solving.turned(found) for found in solving.SOLVERS[game.id](changed)]


def test_other_files_hold_what_looks_like_the_token() -> None:
    for seed in SEEDS:
        game = generate("B01", seed)
        (claim,) = game.expected
        near = [
            path
            for path, text in game.files.items()
            if claim.value[:4].lower() in text.lower() or claim.value[1:].lower() in text.lower()
        ]
        assert claim.subject in near and len(near) >= 4
        # More files than there are turns, so that reading one after the other is no way to win.
        assert len(game.files) > 3 * game.most_turns


def test_hidden_files_others_and_ends_without_a_newline_make_another_total() -> None:
    for seed in SEEDS:
        game = generate("B02", seed)
        (claim,) = game.expected
        ending = claim.subject.removeprefix("*")
        all_named = {path: text for path, text in game.files.items() if path.endswith(ending)}
        named = truth.below(all_named, str(claim.scope))
        totals = [
            sum(text.count("\n") for path, text in named.items() if "/." not in path),
            sum(len(text.splitlines()) for text in named.values()),
            sum(text.count("\n") for text in all_named.values()),
            sum(text.count("\n") for path, text in game.files.items() if ending in path.lower()),
            max(text.count("\n") for text in named.values()),
        ]
        assert claim.value not in totals
        assert all(
            claim.value > int(number)
            for text in game.files.values()
            for number in re.findall(r"\b\d+\b", text)
        )


def test_a_value_is_wrong_by_its_unit_and_its_type_and_other_configurations_are_wrong_too() -> None:
    naive = elsewhere = 0
    for seed in SEEDS:
        game = generate("B03", seed)
        config, schema = solving.quoted(game)[:2]
        plain = re.sub(r', "unit": "\w+"', "", game.files[schema])
        # A player who does not look at units takes a duration for too long.
        naive += said(game, {**game.files, schema: plain}) != said(game, dict(game.files))
        others = [path for path in game.files if path.endswith(config[-5:]) and path not in (config, schema)]
        elsewhere += any(said(game, {**game.files, config: game.files[path]}) for path in others)
        assert others
    # Where the value that is wrong is the only duration, units make no difference.
    assert naive > len(SEEDS) * 3 // 4 and elsewhere == len(SEEDS)


def test_other_modules_define_the_name_and_comments_name_them() -> None:
    for seed in SEEDS:
        game = generate("B04", seed)
        name, final = solving.quoted(game)[1], game.expected[-1]
        homes = [path for path, text in game.files.items() if name in truth.defined(text)]
        assert len(homes) >= 2 and set(homes) != {final.subject}
        assert re.search(rf"^# from \S+ import {name}$", game.files[game.expected[0].subject], re.M)


def test_no_rule_of_a_session_is_idle() -> None:
    for seed in SEEDS:
        game = generate("B05", seed)
        (right,) = solving.session_rules(game)
        for kind in solving.kinds_of(game):
            (other,) = solving.session_rules(game, without=kind)
            assert number_of(other[0].subject) < number_of(right[0].subject)
        assert solving.kinds_of(game)


def number_of(place: str) -> int:
    return int(place.rpartition(":")[2])


def test_false_clues_and_other_orders_are_in_the_vault_too() -> None:
    for seed in SEEDS:
        game = generate("B06", seed)
        *fragments, vault = game.expected
        text = game.files[str(vault.scope)]
        own = sorted(vault.value.split("-"))
        codes = re.findall(r"\w{5}(?:-\w{5})+", text)
        assert len(set(codes)) == 30 and sum(sorted(code.split("-")) == own for code in codes) >= 5
        clues = sum(text.count("clue: fragment") for text in game.files.values())
        assert clues == 3 * len(fragments)
        assert len(game.files) > game.most_turns


def test_the_value_that_fails_stands_in_other_lines_too() -> None:
    for seed in SEEDS:
        game = generate("B07", seed)
        (claim,) = game.expected
        line = truth.line_at(game.files, claim.subject)
        assert line is not None
        value = re.split(r"[:=]", line, maxsplit=1)[1].strip(" ,")
        config = claim.subject.rpartition(":")[0]
        own = [one for one in game.files[config].splitlines() if one.rstrip(",").endswith(f" {value}")]
        assert len(own) >= 2
        assert len([path for path in game.files if path.startswith(config.rsplit(".", 1)[0] + ".")]) >= 3
        log = claim.value.rpartition(":")[0]
        assert game.files[log].count("Traceback") == 2


def test_every_program_fails_with_the_error_in_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = set()
    for seed in range(80):
        game = generate("B07", seed)
        config = game.expected[0].subject.rpartition(":")[0]
        monkeypatch.chdir(tmp_path)
        Path(config).parent.mkdir(exist_ok=True)
        Path(config).write_text(game.files[config], "utf-8")
        logged = truth.line_at(game.files, game.expected[0].value)
        source = next(text for text in game.files.values() if f'("{config}"' in text)
        space: dict[str, Any] = {}
        exec(compile(source, "source", "exec"), space)
        with pytest.raises((ValueError, ArithmeticError, LookupError)) as failed:
            space[re.findall(r"^def (\w+)", source, re.M)[-1]]()
        assert f"{failed.type.__name__}: {failed.value}" == logged
        kinds.add((config.rsplit(".", 1)[1], failed.type))
    assert len(kinds) == 12


@pytest.mark.parametrize("seed", range(2))
def test_the_program_really_fails_as_its_log_says(seed: int, tmp_path: Path) -> None:
    game = generate("B07", seed)
    write_files(game, tmp_path / "game")
    ran = subprocess.run(
        [sys.executable, "main.py"], cwd=tmp_path / "game", capture_output=True, text=True, check=False
    )
    log, _, number = game.expected[0].value.rpartition(":")
    logged = game.files[log].splitlines()[: int(number)]
    printed = [line for line in ran.stderr.splitlines() if set(line.strip()) - {"^", "~"}]
    assert ran.returncode == 1
    started = max(at for at, line in enumerate(logged) if line.startswith("Traceback"))
    here = f"{tmp_path.resolve()}/game/"
    assert [line.replace(here, "") for line in printed] == logged[started:]


def test_several_lines_changed_in_what_the_test_runs_through() -> None:
    for seed in SEEDS:
        game = generate("B08", seed)
        old, new = solving.quoted(game)[:2]
        changes = [
            change
            for path, text in truth.below(game.files, old).items()
            for change in truth.changed_lines(text, game.files[path.replace(old, new, 1)])
        ]
        assert len(changes) >= 4
        assert game.expected[0].value in changes


def test_comments_would_make_other_cycles_than_imports() -> None:
    near = 0
    for seed in SEEDS:
        game = generate("B09", seed)
        place = game.expected[0].subject
        graph = truth.import_graph(game.files, place)
        assert len(truth.cycles(graph)) == 1
        for path, text in truth.below(game.files, place).items():
            name = path[len(place) + 1 :].removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            graph[name] |= {module for module in re.findall(r"import ([\w.]+)", text) if module in graph}
        near += len(truth.cycles(graph)) > 1
    assert near > len(SEEDS) // 2


def test_by_the_stamps_alone_another_service_failed_first() -> None:
    for seed in SEEDS:
        game = generate("B10", seed)
        folder = solving.quoted(game)[0]
        first = solving.first_errors(game, folder)
        stamped = min(first, key=lambda place: truth.instant(str(truth.line_at(game.files, place))))
        assert stamped != game.expected[0].subject
