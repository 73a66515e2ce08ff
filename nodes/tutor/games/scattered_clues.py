"""B06: fragments of a code in files that lead to one another, and a vault with many codes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.settings_text import settings_text
from nodes.tutor.games.vocabulary import code, names, note, planted, scattered, text_of

SECTIONS, KEYS = 3, 10
ORDINALS = ("first", "second", "third", "fourth")
GOAL = """A code has {count} fragments, each in another file. The first clue is in `{first}`; every clue \
tells its fragment, the place of the fragment in the code, and where the next clue is. Join the \
fragments in the order of their places with "-": `{vault}` has that code under one of its keys. Clues \
that no clue leads to are false.
Answer with {claims} claims: for each fragment contains, subject = the file, value = the fragment, unit \
= word; and value_of, subject = the key (section.key), value = the code, scope = `{vault}`."""


@dataclass(frozen=True)
class Trail:
    """Clues of which each leads to the next.

    Attributes:
        paths: of the files they are in, in the order in which they lead to one another.
        fragments: one in each of them.
        places: of each fragment in the code, from 0.
    """

    paths: Sequence[str]
    fragments: Sequence[str]
    places: Sequence[int]

    @property
    def code(self) -> str:
        """The fragments, joined in the order of their places."""
        return joined([self.fragments[self.places.index(place)] for place in range(len(self.places))])


def joined(fragments: Sequence[str]) -> str:
    """Fragments as one code."""
    return "-".join(fragments)


def scattered_clues(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    count = rng.randint(3, 4)
    paths = scattered(rng, rng.randint(40, 46), (".txt", ".md", ".log"))
    rng.shuffle(paths)
    notes = {path: note(rng, 3, 9) for path in paths}
    trails = [_trail(rng, paths[at : at + count]) for at in range(0, 3 * count, count)]
    for trail in trails:
        _lay(rng, notes, trail)
    true = trails[0]
    suffix = rng.choice((".json", ".yaml", ".toml"))
    vault = f"{'/'.join(names(rng, rng.randint(1, 2)))}/vault{suffix}"
    held = _vault(rng, trails)
    key = next(
        f"{section}.{key}" for section in held for key, kept in held[section].items() if kept == true.code
    )

    draft = Draft("B06", seed, "governance")
    seen = [draft.look("cat", path=path) for path in true.paths]
    opened = draft.look("cat", path=vault)
    for number, (path, fragment, shown) in enumerate(zip(true.paths, true.fragments, seen, strict=True), 1):
        draft.want(
            Claim(predicate="contains", subject=path, value=fragment, unit="word"),
            shown,
            find=("subject", "value"),
            wanted=f"clue {number}: the file it is in, and its fragment",
        )
    draft.want(
        Claim(predicate="value_of", subject=key, value=true.code, scope=vault),
        opened,
        find=("subject", "value"),
        wanted="the key of the vault that has the code, and the code",
    )
    files = {path: text_of(lines) for path, lines in notes.items()} | {vault: settings_text(held, suffix)}
    goal = GOAL.format(count=count, first=true.paths[0], vault=vault, claims=count + 1)
    return draft.game("Code from scattered clues", goal, files)


def _trail(rng: random.Random, paths: Sequence[str]) -> Trail:
    return Trail(paths, [code(rng, 5) for _ in paths], rng.sample(range(len(paths)), len(paths)))


def _lay(rng: random.Random, notes: dict[str, list[str]], trail: Trail) -> None:
    """Put the clues of a trail into their files; where a clue names no path, the next file has a mark."""
    for at, path in enumerate(trail.paths):
        following = "this is the last clue"
        if at + 1 < len(trail.paths):
            following = f"next clue in {trail.paths[at + 1]}"
            if rng.random() < 0.4:
                mark = code(rng, 6)
                following = f"next clue in the file marked {mark}"
                notes[trail.paths[at + 1]] = planted(rng, notes[trail.paths[at + 1]], f"mark: {mark}")
        place = ORDINALS[trail.places[at]]
        clue = f"clue: fragment {trail.fragments[at]}, {place} place; {following}"
        notes[path] = planted(rng, notes[path], clue)


def _vault(rng: random.Random, trails: Sequence[Trail]) -> dict[str, dict[str, str]]:
    """The code among codes of the same fragments in other orders, and of fragments of false clues."""
    true = trails[0]
    orders = [joined(order) for order in permutations(true.fragments) if joined(order) != true.code]
    codes = dict.fromkeys([true.code, *(trail.code for trail in trails)])
    codes |= dict.fromkeys(rng.sample(orders, min(10, len(orders))))
    while len(codes) < SECTIONS * KEYS:
        mixed = [rng.choice(trails).fragments[at] for at in range(len(true.fragments))]
        codes[joined(rng.sample(mixed, len(mixed)))] = None
    held = rng.sample(list(codes), len(codes))
    return {
        section: dict(zip(names(rng, KEYS), held[at : at + KEYS], strict=True))
        for section, at in zip(names(rng, SECTIONS), range(0, len(held), KEYS), strict=True)
    }
