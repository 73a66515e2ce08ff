"""Sets of claims: invented documents, and sentences that tell what stands in them, rightly or with one error.

A set is a folder of two files of JSON lines: `sources.jsonl` (items) and `claims.jsonl` ({id, claim,
citations, label: correct or wrong, kind, note}). The check was made with the `tuned` sets; the `held_out`
ones were only measured on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from configs.errors import UsageError
from nodes.research.check import Claim
from tools.search.items import Item, read_items

FOLDER = Path(__file__).parent / "sets"
HELD_OUT = "held_out"


class Labelled(Claim):
    """A claim of which it is known whether its sources bear it out.

    Attributes:
        id: within its set.
        label: "correct" or "wrong".
        kind: how a correct one was made, or what is wrong.
        note: what the source says.
    """

    id: str
    label: str
    kind: str
    note: str = ""


@dataclass(frozen=True)
class ClaimSet:
    """Claims and what they cite.

    Attributes:
        name: of its folder.
        items: every source.
        claims: by id.
    """

    name: str
    items: list[Item]
    claims: dict[str, Labelled]

    @property
    def language(self) -> str:
        """That most of it is written in: "zh" or "en"."""
        return "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in self.items[0].description[:200]) else "en"


def named(names: list[str]) -> list[str]:
    """The sets that are meant: the held-out ones if none is named; a folder elsewhere may be, too.

    Raises:
        UsageError: there is no such set.
    """
    known = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
    for name in names:
        if name not in known and not (Path(name) / "claims.jsonl").is_file():
            raise UsageError(
                f"There is no set of claims {name}.",
                f"Name a folder with sources.jsonl and claims.jsonl, or one of {', '.join(known)}.",
            )
    return names or [name for name in known if name.startswith(HELD_OUT)]


@lru_cache
def load(name: str) -> ClaimSet:
    """Read a set.

    Raises:
        UsageError: a line cannot be read.
    """
    folder = FOLDER / name if (FOLDER / name).is_dir() else Path(name)
    items, problems = read_items(folder / "sources.jsonl")
    if problems:
        raise UsageError(f"A source of {name} cannot be read: {problems[0]}", "Mend that line.")
    claims = {}
    for number, line in enumerate((folder / "claims.jsonl").read_text("utf-8").splitlines(), 1):
        claim = _read(line, f"{name}/claims.jsonl, line {number}")
        claims[claim.id] = claim
    return ClaimSet(Path(name).name, items, claims)


def _read(line: str, place: str) -> Labelled:
    try:
        return Labelled.model_validate(json.loads(line))
    except (ValidationError, json.JSONDecodeError) as error:
        raise UsageError(f"{place} is no claim with a label: {error}", "Mend that line.") from error
