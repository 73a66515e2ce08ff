"""B02: the lines of all source files below a directory, counted together."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.vocabulary import folders, functions, names, note, text_of

MARKS = {
    ".rs": "//",
    ".go": "//",
    ".py": "#",
    ".ts": "//",
    ".java": "//",
    ".c": "//",
    ".lua": "--",
    ".rb": "#",
}
LARGEST_NUMBER = 9
"""In any source line, so that no number that can be read anywhere is the total."""
GOAL = """How many lines do all files named `{pattern}` below the directory `{scope}` have together? All \
directories below it count, hidden ones too; the pattern is taken as it is, and a directory is no file. \
Lines are line ends, as wc counts them.
Answer with one claim: count, subject = `{pattern}`, value = the number, unit = lines, scope = \
`{scope}`."""


def line_total(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    suffix = rng.choice(sorted(MARKS))
    scope, outside, *inner = names(rng, 5)
    below = [scope, *(f"{scope}/{folder}" for folder in folders(rng, rng.randint(4, 6)))]
    files: dict[str, str] = {}
    # One in the hidden directory, which is the last; the others where chance has them.
    places = [below[-1], *(rng.choice(below) for _ in range(rng.randint(7, 11)))]
    stems = iter(functions(rng, 40))
    for place in places:
        files[f"{place}/{next(stems)}{suffix}"] = text_of(_source(rng, suffix))
    sources = sorted(files)
    for path in rng.sample(sources, rng.randint(1, 4)):
        files[path] = files[path].removesuffix("\n")
    total = sum(text.count("\n") for text in files.values())
    files |= _decoys(rng, suffix, below, inner, stems)
    for _ in range(rng.randint(1, 3)):
        files[f"{outside}/{next(stems)}{suffix}"] = text_of(_source(rng, suffix))

    draft = Draft("B02", seed, "search")
    pattern = f"*{suffix}"
    listing = draft.look("find", path=scope, name=pattern, type="f")
    sizes = draft.look("wc", paths=sources, lines=True)
    draft.want(
        Claim(predicate="count", subject=pattern, value=total, unit="lines", scope=scope),
        listing,
        sizes,
        find=("value",),
        wanted="the number of lines of all these files together",
        proof_decides=True,
    )
    return draft.game("Total line count over source files", GOAL.format(pattern=pattern, scope=scope), files)


def _decoys(
    rng: random.Random, suffix: str, below: Sequence[str], words: Sequence[str], stems: Iterator[str]
) -> dict[str, str]:
    """Files whose names are nearly of the pattern, and directories whose names are."""
    files = {}
    for ending in rng.sample((".txt", ".md", f"{suffix}.bak", f"{suffix}x", suffix.upper(), f"{suffix}~"), 4):
        for _ in range(rng.randint(1, 2)):
            files[f"{rng.choice(below)}/{next(stems)}{ending}"] = text_of(_source(rng, suffix))
    for folder in words[: rng.randint(1, 2)]:
        files[f"{rng.choice(below)}/{folder}{suffix}/notes.md"] = text_of(note(rng, 3, 9))
    return files


def _source(rng: random.Random, suffix: str) -> list[str]:
    lines = [f"{MARKS[suffix]} {' '.join(names(rng, 2))}"]
    *more, last = functions(rng, rng.randint(8, 30))
    for name in more:
        lines.append(rng.choice(("", f"{name}({rng.randint(0, LARGEST_NUMBER)})", f"    {name}()")))
    return [*lines, f"{last}()"]
