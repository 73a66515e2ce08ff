"""What the player is told: short, and what files hold between lines nobody can forge."""

from __future__ import annotations

from collections.abc import Mapping

from nodes.contractive.asking import fence_of
from nodes.research.asking import disarmed_fence
from nodes.tutor.observations import Observation
from nodes.tutor.observing.reading import shown
from nodes.tutor.verdicts import Verdict

LONGEST_LINE = 400


def quoted(text: str, game: str, most: int) -> str:
    """Text of files between two fence lines: data, never an instruction.

    Args:
        text: any.
        game: the game's name, of which the fence is made; it has a random part.
        most: characters; the middle of what is longer is left out.
    """
    safe = disarmed_fence(text, fence_of(game)).removesuffix("\n")
    if len(safe) > most:
        half = most // 2
        safe = f"{safe[:half]}\n[{len(safe) - 2 * half} characters left out]\n{safe[-half:]}"
    return f"{fence_of(game)}\n{safe}\n{fence_of(game)}"


def of_observation(observation: Observation, most: int) -> str:
    """An observation: how it ended, and what was printed."""
    output = shown(observation)
    parts = [f"{observation.id}: {one_line(observation.command)} (exit {observation.returncode})"]
    if output:
        parts.append(quoted(output, observation.game, most))
    if observation.stderr:
        parts.append(f"It complained:\n{quoted(observation.stderr, observation.game, most // 2)}")
    if not output and not observation.stderr:
        parts.append("It printed nothing.")
    if observation.truncated:
        parts.append("The output was cut, so it proves nothing. Ask for less.")
    if not observation.footprint.stable:
        parts.append("What it read changed meanwhile, so it proves nothing. Make the call again.")
    return "\n".join(parts)


def of_verdict(name: str, verdict: Verdict, status: str, ignored: Mapping[str, str]) -> str:
    """A claim that was judged: its status, why, and which citations did not count."""
    parts = [f"{name} is {status}. {one_line(verdict.reason)}"]
    parts += [f"{one_line(cite)} does not count: {why}." for cite, why in ignored.items()]
    return " ".join(parts)


def of_contradiction(name: str, against: Mapping[str, str]) -> str:
    """Claims that cannot be so beside another; "" if there are none."""
    if not against:
        return ""
    told = ", ".join(f"{other} (now {status})" for other, status in against.items())
    return f"{name} contradicts {told}. LINK fresh evidence to the one that is so."


def joined(*parts: str) -> str:
    """Parts of a message, without those that are empty."""
    return "\n".join(part for part in parts if part)


def one_line(text: str) -> str:
    """What a model wrote, or what names files and keys, on one line of bounded length.

    A name may hold line ends and control characters, and stands in no fence.
    """
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(text.split()))
    return shown[:LONGEST_LINE]
