"""Words, codes and paths that games are made of, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

NOUNS = (
    "amber", "anchor", "atlas", "basin", "beacon", "birch", "canyon", "cedar", "cobalt", "comet", "copper",
    "coral", "crater", "delta", "ember", "falcon", "fjord", "garnet", "glacier", "harbor", "hazel", "heron",
    "indigo", "island", "jasper", "juniper", "kestrel", "lagoon", "lantern", "lichen", "linden", "maple",
    "marble", "meadow", "meteor", "mosaic", "nectar", "oasis", "ocean", "onyx", "opal", "orchard", "osprey",
    "pebble", "pepper", "pine", "prairie", "quartz", "raven", "reef", "ridge", "saffron", "sable", "sequoia",
    "sierra", "sparrow", "spruce", "summit", "thistle", "timber", "topaz", "tundra", "valley", "velvet",
    "walnut", "willow", "zephyr", "zircon",
)  # fmt: skip
SERVICES = (
    "auth", "billing", "cart", "catalog", "checkout", "feed", "gateway", "geo", "inventory", "ledger",
    "mailer", "orders", "payments", "pricing", "profile", "queue", "search", "sessions", "shipping", "wallet",
)  # fmt: skip
VERBS = (
    "adjust", "balance", "build", "collect", "convert", "derive", "encode", "expand", "fetch", "filter",
    "group", "load", "merge", "pack", "parse", "rank", "resolve", "scale", "select", "settle", "shift",
    "split", "trim",
)  # fmt: skip
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
SIGNS = LETTERS + "23456789"
SENTENCES = (
    "The {} crew checked the {} twice.",
    "Moved {} to the {} shelf.",
    "{}: waiting for {}.",
    "Nobody has seen the {} report since {}.",
    "- {} goes before {}",
    "See also {} and {}.",
)


def code(rng: random.Random, length: int) -> str:
    """Capital letters and digits without look-alikes; the first two are letters."""
    return "".join(rng.choice(LETTERS if at < 2 else SIGNS) for at in range(length))


def names(rng: random.Random, count: int) -> list[str]:
    """Different nouns."""
    return rng.sample(NOUNS, count)


def functions(rng: random.Random, count: int) -> list[str]:
    """Different names of functions: a verb and a noun."""
    chosen: dict[str, None] = {}
    while len(chosen) < count:
        chosen[f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}"] = None
    return list(chosen)


def note(rng: random.Random, shortest: int, longest: int) -> list[str]:
    """Lines of a note nobody needs, some with a code in them."""
    lines = []
    for _ in range(rng.randint(shortest, longest)):
        line = rng.choice(SENTENCES).format(rng.choice(NOUNS), rng.choice(NOUNS))
        lines.append(f"{line} ref {code(rng, rng.randint(7, 9))}" if rng.random() < 0.3 else line)
    return lines


def planted(rng: random.Random, lines: Sequence[str], *more: str) -> list[str]:
    """The lines with more of them in between, at a place that is drawn."""
    at = rng.randint(0, len(lines))
    return [*lines[:at], *more, *lines[at:]]


def folders(rng: random.Random, count: int) -> list[str]:
    """Directories, some of them within others, the last one hidden."""
    chosen: list[str] = []
    for name in names(rng, count - 1):
        above = rng.choice(chosen) if chosen and rng.random() < 0.4 else ""
        chosen.append(f"{above}/{name}" if above and above.count("/") < 2 else name)
    hidden = f".{rng.choice(('archive', 'cache', 'old', 'store', 'local'))}"
    return [*chosen, rng.choice((hidden, f"{chosen[0]}/{hidden}"))]


def scattered(rng: random.Random, count: int, suffixes: Sequence[str]) -> list[str]:
    """Paths of files in directories that are drawn with them, at least one in each directory."""
    places = folders(rng, rng.randint(5, 8))
    chosen: dict[str, None] = {}
    while len(chosen) < count:
        place = places[len(chosen)] if len(chosen) < len(places) else rng.choice(places)
        chosen[f"{place}/{'-'.join(names(rng, 2))}{rng.choice(suffixes)}"] = None
    return list(chosen)


def text_of(lines: Sequence[str]) -> str:
    """The lines as a file holds them."""
    return "".join(f"{line}\n" for line in lines)
