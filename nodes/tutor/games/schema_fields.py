"""Fields of a schema, each with a value it allows, however odd that looks, and one it does not."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """One key of a configuration.

    Attributes:
        rule: what the schema says: `type`, and `min`, `max`, `enum`, `unit` where they matter.
        good: a value it allows.
        bad: a value it does not allow.
        broken: the word of `rule` that `bad` breaks, and the only one.
    """

    rule: Mapping[str, object]
    good: object
    bad: object
    broken: str


def _integer(rng: random.Random) -> Field:
    low = rng.choice((-1, 0, 1, 2, 8, 16))
    high = low + rng.randint(20, 400)
    good = rng.choice((low, high, rng.randint(low, high)))
    bad, broken = rng.choice(
        (
            (high + rng.randint(1, 3), "max"),
            (low - rng.randint(1, 3), "min"),
            (str(rng.randint(low, high)), "type"),
        )
    )
    return Field({"type": "integer", "min": low, "max": high}, good, bad, broken)


def _duration(rng: random.Random) -> Field:
    """Key in milliseconds, bound in seconds: a large number may be little."""
    most = rng.randint(5, 60)
    good = 1000 * most - rng.choice((0, 500, 1000))
    return Field(
        {"type": "integer", "max": most, "unit": "s"}, good, 1000 * most + rng.choice((1, 250)), "max"
    )


def _pause(rng: random.Random) -> Field:
    """Key in seconds, bound in milliseconds: a small number may be much."""
    most = rng.randint(2, 9)
    good = rng.randint(1, most)
    return Field({"type": "integer", "max": 1000 * most, "unit": "ms"}, good, most + 1, "max")


def _truth(rng: random.Random) -> Field:
    bad = rng.choice(("yes", "true", 1, 0))
    return Field({"type": "boolean"}, rng.choice((True, False)), bad, "type")


def _text(rng: random.Random) -> Field:
    good = rng.choice(("0080", "off", "null", "1e3", "true", "-1"))
    return Field({"type": "string"}, good, rng.choice((80, 1000, -1)), "type")


def _choice(rng: random.Random) -> Field:
    words = rng.sample(("debug", "info", "warn", "none", "auto", "strict", "lazy", "round", "off", "any"), 4)
    good = rng.choice(words[:3])
    bad = rng.choice((good.upper(), f"{good}s", words[3]))
    return Field({"type": "string", "enum": words[:3]}, good, bad, "enum")


KINDS: Mapping[str, tuple[tuple[str, ...], Callable[[random.Random], Field]]] = {
    "integer": (("workers", "retries", "depth", "batch", "shards", "slots", "burst", "window"), _integer),
    "duration": (("read_ms", "write_ms", "connect_ms", "idle_ms"), _duration),
    "pause": (("backoff_s", "grace_s", "flush_s", "lease_s"), _pause),
    "truth": (("verbose", "compress", "cache", "secure"), _truth),
    "text": (("label", "zone", "prefix", "realm"), _text),
    "choice": (("level", "mode", "policy", "order"), _choice),
}
"""Names of keys for every kind of field, and how one is made."""
