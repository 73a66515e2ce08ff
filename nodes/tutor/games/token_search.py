"""B01: one of many files holds a token as a word; others hold what looks like it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.vocabulary import LETTERS, SIGNS, code, note, planted, scattered, text_of

SUFFIXES = (".txt", ".md", ".log", ".cfg", ".csv")
CARRIERS = ("Handed over under {}.", "key {} (spare)", "gate={}", "Crate {} stays closed.", "label: {}")
GOAL = """Exactly one file holds the token `{token}` as a word of its own: whole, in capital letters, \
and with no letter, digit or underscore at either end. Find it among many files; dot files count, names \
of files do not.
Answer with one claim: contains, subject = path of the file, value = the token, unit = word."""


def _changed(rng: random.Random, token: str) -> str:
    at = rng.randrange(len(token))
    return token[:at] + rng.choice([sign for sign in SIGNS if sign != token[at]]) + token[at + 1 :]


NEAR_MISSES: Mapping[str, Callable[[random.Random, str], str]] = {
    "small letters": lambda rng, token: token.lower(),
    "first letter small": lambda rng, token: token[0].lower() + token[1:],
    "cut short": lambda rng, token: token[:-1],
    "longer": lambda rng, token: token + rng.choice(LETTERS),
    "in a longer word": lambda rng, token: f"{rng.choice(LETTERS)}{token}",
    "joined": lambda rng, token: rng.choice((f"{token}_old", f"x_{token}")),
    "one sign changed": _changed,
    "divided": lambda rng, token: f"{token[:3]}-{token[3:]}",
    "over two lines": lambda rng, token: f"{token[:4]}\n{token[4:]}",
}


def token_search(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    token = code(rng, rng.randint(7, 9))
    paths = scattered(rng, rng.randint(50, 57), SUFFIXES)
    notes = {path: note(rng, 4, 14) for path in paths}
    home, *others = rng.sample(paths, len(paths))
    notes[home] = planted(rng, notes[home], rng.choice(CARRIERS).format(token))
    for name in rng.sample(sorted(NEAR_MISSES), rng.randint(5, 8)):
        for path in rng.sample(others, rng.randint(1, 3)):
            near = rng.choice(CARRIERS).format(NEAR_MISSES[name](rng, token))
            notes[path] = planted(rng, notes[path], near)
    if rng.random() < 0.7:
        named = rng.choice(others)
        folder, _, old = named.rpartition("/")
        notes[f"{folder}/{token}{old[old.rindex('.') :]}"] = notes.pop(named)

    draft = Draft("B01", seed, "search")
    found = draft.look(
        "grep", pattern=token, path=".", recursive=True, fixed=True, word=True, line_number=True
    )
    draft.want(
        Claim(predicate="contains", subject=home, value=token, unit="word"),
        found,
        find=("subject",),
        wanted="the file that holds the token as a word of its own",
    )
    files = {path: text_of(lines) for path, lines in notes.items()}
    return draft.game("Token in one of many files", GOAL.format(token=token), files)
