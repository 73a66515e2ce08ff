"""What a run owes beyond its answer, and whether it was done.

A commitment is written `name` or `name:target`: `write_file:notes.md`, `send_email:anna@example.org`. The
vocabulary is open: whoever adds a tool that keeps a promise registers a checker under its name. A checker
judges deeds: which tool ran, with what, and how it ended. It never reads what somebody says was done, and
what nothing here can check counts as not done.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from memory.errors import CommitmentUnreadable

UNCHECKABLE = "nothing here can check it"

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


@dataclass(frozen=True)
class Deed:
    """Something that was done, or tried.

    Attributes:
        action: name of the tool.
        parameters: what it was given.
        outcome: success, or why not: pending, partial, failed, skipped.
        evidence: what it printed.
        attachments: files and messages it found or made: `path` and `status`, or `type`, `to` and `status`.
    """

    action: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    outcome: str = "success"
    evidence: Sequence[str] = ()
    attachments: Sequence[Mapping[str, Any]] = ()

    @property
    def done(self) -> bool:
        """True if it was done whole."""
        return self.outcome == "success"

    @property
    def verb(self) -> str:
        """The tool's own name, without the server it comes from: `mail.send_email` is `send_email`."""
        return re.split(r"[./:]", self.action)[-1]


Checker: TypeAlias = Callable[[str, Sequence[Deed]], str | None]
"""Takes the target ("" for none) and the deeds; gives None when it is done, else what is missing."""

_CHECKERS: dict[str, Checker] = {}


def register_checker(name: str, checker: Checker) -> None:
    """Let commitments of a name be judged by a checker; a later one of the same name replaces it.

    Raises:
        CommitmentUnreadable: the name is not of lower-case letters, digits and underscores.
    """
    if not _NAME.fullmatch(name):
        raise CommitmentUnreadable(
            f"{name!r} names no commitment.", "Use lower-case letters, digits and underscores."
        )
    _CHECKERS[name] = checker


def registered() -> list[str]:
    """Names of the commitments that can be checked, sorted."""
    return sorted(_CHECKERS)


def parted(commitment: str) -> tuple[str, str]:
    """Name and target of a commitment; the target is "" when it has none."""
    name, _, target = commitment.partition(":")
    return name.strip(), target.strip()


def unmet(commitments: Iterable[str], deeds: Sequence[Deed]) -> list[tuple[str, str]]:
    """The commitments the deeds do not keep, each with what is missing, in their order, each once."""
    missing = []
    for commitment in dict.fromkeys(commitments):
        name, target = parted(commitment)
        checker = _CHECKERS.get(name)
        problem = UNCHECKABLE if checker is None else checker(target, deeds)
        if problem is not None:
            missing.append((commitment, problem))
    return missing


def accepted(proposed: Iterable[str]) -> tuple[list[str], list[str]]:
    """Sort proposals of a model into those a checker knows and the others."""
    known: list[str] = []
    unknown: list[str] = []
    for commitment in dict.fromkeys(text.strip() for text in proposed if text.strip()):
        (known if parted(commitment)[0] in _CHECKERS else unknown).append(commitment)
    return known, unknown


def same_path(written: str, used: object) -> bool:
    """True if a path that was used is the one that was written, or one that ends in it.

    A goal says `notes.md` and means the one in the directory it goes on to name.
    """
    if not isinstance(used, str) or not used:
        return False
    wanted, found = (posixpath.normpath(text.replace("\\", "/").strip()) for text in (written, used))
    return found == wanted or found.endswith(f"/{wanted.lstrip('/')}")


def _file_checker(verbs: Mapping[str, Sequence[str]], status: str, missing: str) -> Checker:
    """A checker of file changes.

    Args:
        verbs: tools that make the change, with the parameters that name its file.
        status: what an attachment says of a file that was changed by other means, e.g. by a program.
        missing: what to say when nothing did it.
    """

    def check(target: str, deeds: Sequence[Deed]) -> str | None:
        for deed in deeds:
            if not deed.done:
                continue
            named = [deed.parameters.get(key) for key in verbs.get(deed.verb, ())]
            named += [item.get("path") for item in deed.attachments if item.get("status") == status]
            if any(name and (not target or same_path(target, name)) for name in named):
                return None
        return missing

    return check


def _command_ran(target: str, deeds: Sequence[Deed]) -> str | None:
    for deed in deeds:
        if not deed.done or deed.verb not in ("run", "python", "run_command", "execute_command"):
            continue
        argv = deed.parameters.get("argv") or deed.parameters.get("command") or deed.parameters.get("code")
        words = " ".join(map(str, argv)) if isinstance(argv, (list, tuple)) else str(argv or "")
        if not target or f" {target} " in f" {words} ":
            return None
    return "no such command was run to a good end"


_SENDERS = ("send_email", "send_mail", "email_send", "send_message", "forward_email", "reply_email")
_RECIPIENTS = ("to", "recipient", "recipients", "cc", "bcc")


def _sent(target: str, deeds: Sequence[Deed]) -> str | None:
    for deed in deeds:
        if not deed.done:
            continue
        messages = [
            item
            for item in deed.attachments
            if item.get("type") in ("email", "message") and item.get("status") == "sent"
        ]
        if deed.verb in _SENDERS:
            messages.append(deed.parameters)
        if any(not target or target.lower() in _people(message) for message in messages):
            return None
    return "no message was sent"


def _attached(target: str, deeds: Sequence[Deed]) -> str | None:
    for deed in deeds:
        if not deed.done:
            continue
        items = [item.get("path") for item in deed.attachments if item.get("status") == "attached"]
        if deed.verb in _SENDERS:
            given = deed.parameters.get("attachments")
            items += list(given) if isinstance(given, (list, tuple)) else [given]
        if any(item and (not target or same_path(target, item)) for item in items):
            return None
    return "nothing was attached to a message"


def _people(message: Mapping[str, Any]) -> set[str]:
    written = " ".join(str(message.get(key, "")) for key in _RECIPIENTS).lower()
    return set(re.split(r"""[\s,;<>"'()\[\]]+""", written))


def _directory_made(target: str, deeds: Sequence[Deed]) -> str | None:
    for deed in deeds:
        if not deed.done:
            continue
        made = [item.get("path") for item in deed.attachments if item.get("status") == "made"]
        if deed.verb in ("make_dir", "make_directory"):
            made.append(deed.parameters.get("path"))
        # What is written or moved into a directory that is missing makes it on the way.
        into = {"write_file": "path", "move": "target", "move_file": "target"}.get(deed.verb)
        path = str(deed.parameters.get(into) or "") if into else ""
        made += [path, *_above(path)] if deed.verb != "write_file" else _above(path)
        if any(name and (not target or same_path(target, name)) for name in made):
            return None
    return "it was not made"


def _above(path: str) -> list[str]:
    parts = posixpath.normpath(path).split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


register_checker(
    "write_file",
    _file_checker(
        {"write_file": ["path"], "edit_file": ["path"], "move": ["target"]}, "written", "it was not written"
    ),
)
register_checker(
    "edit_file",
    _file_checker({"edit_file": ["path"], "write_file": ["path"]}, "written", "it was not edited"),
)
register_checker(
    "delete_file",
    _file_checker({"delete": ["path"], "delete_file": ["path"]}, "deleted", "it was not deleted"),
)
register_checker(
    "move_file",
    _file_checker(
        {"move": ["source", "target"], "move_file": ["source", "target"]}, "moved", "it was not moved"
    ),
)
register_checker("make_directory", _directory_made)
register_checker("run_command", _command_ran)
register_checker("send_email", _sent)
register_checker("attach_documents", _attached)
