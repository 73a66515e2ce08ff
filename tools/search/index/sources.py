"""What a corpus consists of: sources that tell whether they changed before they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.search.items import Item


@dataclass(frozen=True)
class Loaded:
    """A source that was read: its documents, and notes on what is missing of them, one sentence each."""

    items: Sequence[Item]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class CorpusSource:
    """A file of a folder, or an item of a list.

    Attributes:
        key: its name, the same in every run.
        stamp: cheap to tell and another when it changed, e.g. of size and time; empty to ask `digest` always.
        digest: gives a hash of the content.
        load: reads it.
    """

    key: str
    stamp: str
    digest: Callable[[], str]
    load: Callable[[], Loaded]
