"""How one reply is drawn, where it is to differ from the next one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sampling:
    """Of one call.

    Attributes:
        temperature: 0 takes the likeliest word each time.
        seed: the same seed draws the same reply where the provider allows it, 0 to 2^31 - 1.
    """

    temperature: float
    seed: int
