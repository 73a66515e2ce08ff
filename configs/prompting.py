"""Prompts: Markdown files with named slots, `{{goal}}`, filled by code.

A value is put in as it is: braces and slots inside it are text, never expanded. A prompt that wants two
opening braces for another purpose has to write them apart.
"""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable

from configs.errors import ReflectError

_SLOT = re.compile(r"\{\{(?:([a-z][a-z0-9_]*)\}\})?")


class PromptError(ReflectError):
    """A prompt does not exist, or its slots and the values given do not match."""


class PromptFolder:
    """The prompts of one folder, read once, so that a render never touches the disk.

    Nodes render inside the event loop, where reading a file would block every other run.

    """

    def __init__(self, folder: Traversable) -> None:
        """Read every prompt of a folder.

        Args:
            folder: holds the prompts, one `NAME.md` each, UTF-8; the newline that ends a file is not
                part of its prompt. A folder that does not exist holds none.
        """
        entries = folder.iterdir() if folder.is_dir() else ()
        self._texts = {
            entry.name.removesuffix(".md"): entry.read_text(encoding="utf-8").removesuffix("\n")
            for entry in entries
            if entry.name.endswith(".md")
        }

    @property
    def names(self) -> list[str]:
        """The prompts there are, sorted."""
        return sorted(self._texts)

    def slots(self, name: str) -> frozenset[str]:
        """The slots a prompt has.

        Raises:
            PromptError: no prompt has this name, or it has two braces that open no slot.
        """
        if name not in self._texts:
            raise PromptError(f"There is no prompt `{name}`.", f"There are: {', '.join(self.names)}.")
        found = set()
        for match in _SLOT.finditer(self._texts[name]):
            if match[1] is None:
                line = self._texts[name].count("\n", 0, match.start()) + 1
                raise PromptError(
                    f"Prompt `{name}`, line {line}: two braces open no slot.",
                    "Write a slot as {{lower_case}}.",
                )
            found.add(match[1])
        return frozenset(found)

    def render(self, name: str, /, **slots: str) -> str:
        """Fill every slot of a prompt; a slot used twice gets the same value twice.

        Raises:
            PromptError: no such prompt, a slot without a value, or a value without a slot.
        """
        expected = self.slots(name)
        if missing := sorted(expected - slots.keys()):
            raise PromptError(f"Prompt `{name}` lacks a value for: {', '.join(missing)}.", "Pass every slot.")
        if unused := sorted(slots.keys() - expected):
            raise PromptError(f"Prompt `{name}` has no slot: {', '.join(unused)}.", "Pass only its slots.")
        return _SLOT.sub(lambda match: slots[match[1]], self._texts[name])


_PACKAGED = PromptFolder(files("configs") / "prompts")


def render(name: str, /, **slots: str) -> str:
    """Fill a prompt of `configs/prompts`; see `PromptFolder.render`."""
    return _PACKAGED.render(name, **slots)
