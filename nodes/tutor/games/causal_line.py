"""B07: the line of a configuration on which a program failed, found back from its log."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.failing_program import Failure, failure, program, traceback_lines
from nodes.tutor.games.game import Game
from nodes.tutor.games.settings_text import line_of, settings_text
from nodes.tutor.games.vocabulary import SERVICES, functions, names, text_of

KEYS = (
    "size", "limit", "ratio", "level", "parts", "width", "rounds", "share", "depth", "span", "quota",
    "weight",
)  # fmt: skip
GOAL = """The program stopped with the error in line {line} of `{log}`. Which line of which \
configuration file made it fail? The last frame of the traceback names the source line, the source the \
key and the file it reads. Other configurations have the same keys, and other errors in the log did not \
stop it.
Answer with one claim: causes, subject = the configuration line as path:line, value = `{log}:{line}`."""


def causal_line(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    suffix = rng.choice((".json", ".yaml", ".toml", ".ini"))
    folder, place, stem, caller, reader, bystander = names(rng, 6)
    config = f"{place}/{stem}{suffix}"
    fails = failure(rng, suffix)
    settings = _settings(rng)
    section, key = rng.choice([(section, key) for section in settings for key in settings[section]])
    _plant(rng, settings, key, fails)
    settings[section][key] = fails.value
    made = program(rng, folder, (caller, reader), config, (section, key), fails)
    log = f"{rng.choice(('logs', 'var', stem))}/{rng.choice(SERVICES)}.log"
    lines, error_at, more = _log(rng, f"{folder}/{bystander}.py", traceback_lines(made.frames, fails.error))
    files = {**made.files, **more, log: text_of(lines), config: settings_text(settings, suffix)}
    for name in rng.sample(("staging", "example", "local", "old", "test"), rng.randint(2, 3)):
        copy = {one: {**keys, **_changes(rng, keys)} for one, keys in settings.items()}
        files[f"{place}/{stem}.{name}{suffix}"] = settings_text(copy, suffix)

    draft = Draft("B07", seed, "diagnosis")
    seen = [
        draft.look("cat", path=log, number=True),
        draft.look("cat", path=f"{folder}/{reader}.py", number=True),
    ]
    at = line_of(settings, suffix, section, key)
    draft.want(
        Claim(predicate="causes", subject=f"{config}:{at}", value=f"{log}:{error_at}"),
        *seen,
        draft.look("cat", path=config, number=True),
        find=("subject",),
        wanted="the configuration line that made the program fail",
    )
    goal = GOAL.format(line=error_at, log=log)
    return draft.game("Trace back to the causal configuration line", goal, files)


def _settings(rng: random.Random) -> dict[str, dict[str, object]]:
    return {
        section: {
            key: rng.choice((rng.randint(1, 500), rng.choice(names(rng, 2)))) for key in rng.sample(KEYS, 7)
        }
        for section in names(rng, 4)
    }


def _plant(rng: random.Random, settings: dict[str, dict[str, object]], key: str, fails: Failure) -> None:
    """The value that fails stands elsewhere, too, where nothing reads it: under the same key and another."""
    for section in rng.sample(list(settings), 2):
        settings[section][rng.choice((key, rng.choice(list(settings[section]))))] = fails.value


def _changes(rng: random.Random, keys: dict[str, object]) -> dict[str, object]:
    """Some other values, as a copy of a configuration has them."""
    return {key: rng.randint(1, 500) for key in rng.sample(list(keys), rng.randint(0, 2))}


def _log(rng: random.Random, path: str, stopped: list[str]) -> tuple[list[str], int, dict[str, str]]:
    """The log, the number of the line with the error that stopped the program, and the source of another."""
    at = datetime(rng.randint(2029, 2034), rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 21))
    name, service = functions(rng, 1)[0], rng.choice(SERVICES)
    source = [
        f'"""{" ".join(names(rng, 2))}."""',
        "",
        f"def {name}():",
        f'    raise ConnectionError("no {service}")',
    ]
    handled = traceback_lines([(path, 4, name, source[3].strip())], f"ConnectionError: no {service}")
    lines: list[str] = []

    def say(level: str, text: str) -> None:
        nonlocal at
        at += timedelta(seconds=rng.randint(1, 40))
        lines.append(f"{at:%Y-%m-%dT%H:%M:%SZ} {level} {text}")

    for _ in range(rng.randint(3, 9)):
        say("INFO", f"{' '.join(names(rng, 2))} ready")
    say("WARNING", f"{service} did not answer, trying again")
    lines += handled
    for _ in range(rng.randint(2, 6)):
        say("INFO", f"{rng.choice(SERVICES)} answered after {rng.randint(1, 900)} ms")
    say("ERROR", "stopped")
    lines += stopped
    error_at = len(lines)
    for _ in range(rng.randint(1, 4)):
        say(rng.choice(("INFO", "ERROR")), f"{rng.choice(KEYS)} is {rng.randint(0, 3)}")
    return lines, error_at, {path: text_of(source)}
