"""Which sources a mode accepts, and how far each is trusted: decided by a table, never by a model."""

from __future__ import annotations

import fnmatch
import logging
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from configs.redaction import escaped
from configs.research import Mode, ModeConfigs
from nodes.errors import NoValidSourcesError
from tools.search.items import FILE, Item
from tools.search.tokens import tokens_of

METADATA = "_reasoning_metadata"
PREFIX_CHARS = "_prefix_chars"
COMPARED_WITH = "_compared_with"
UNKNOWN = 0
"""The tier of a source the table does not know."""

_LEAST_RELIABLE_FROM = 3
_WARNING = {
    "zh": "[注意：此來源可信度較低，內容未經查證] ",
    "en": "[Warning: a less reliable source, not verified] ",
}
_LEAST_ALIKE = 0.1
"""Share of the shorter text's words that two texts must have in common to be set against one another."""
_PREFIX = re.compile(r"\[Tier \d \| [^\]\n]*\] (?:" + "|".join(map(re.escape, _WARNING.values())) + ")?")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sifted:
    """What a mode made of items.

    Attributes:
        kept: those it accepts, enriched.
        dropped: each other one, with the reason, one sentence.
    """

    kept: list[Item]
    dropped: list[tuple[Item, str]]


@dataclass(frozen=True)
class _Trust:
    tier: int
    kind: str


_NOBODY = _Trust(UNKNOWN, "unknown")


class SourceTierFilter:
    """The table of sources at work.

    Args:
        source_tiers: names, or domains with all that lies below them (`gov.tw`, `*.edu.*`), to
            `{"tier": 1-5, "type": ..., "domains": [...], "folders": [...]}`; the last two are optional.
        modes: which tiers each mode accepts; the shipped ones when left out.
    """

    def __init__(
        self, source_tiers: Mapping[str, Mapping[str, Any]], modes: ModeConfigs | None = None
    ) -> None:
        self._names: dict[str, _Trust] = {}
        self._domains: dict[str, _Trust] = {}
        self._folders: list[tuple[str, _Trust]] = []
        self._modes = modes or ModeConfigs()
        for name, entry in source_tiers.items():
            trust = _Trust(int(entry["tier"]), str(entry["type"]))
            self._names[_folded(name)] = trust
            domains = [*entry.get("domains", ()), *([name] if "." in name or "*" in name else [])]
            self._folders += [(pattern.strip("/"), trust) for pattern in entry.get("folders", ())]
            self._domains |= {domain.casefold().strip(" .").removeprefix("*."): trust for domain in domains}

    def get_tier(self, source: str) -> int:
        """The tier of a source by its name, host or address: 1 to 5, or 0 when the table does not know it."""
        return self._trust(source).tier

    def tier_of(self, item: Item) -> int:
        """The tier of an item: by its site and address, for a file of a folder by where it lies alone."""
        return self._trust_of(item).tier

    def claims(self, item: Item) -> bool:
        """True if a file of a folder calls itself a source that it is not known to be from."""
        if not isinstance(item.schema_object.get(FILE), str):
            return False
        own = self._trust_of(item).tier
        named = (item.site, item.says_from, item.url, item.siteUrl)
        return any(self._trust(one).tier not in (UNKNOWN, own) for one in named)

    def filter_and_enrich(self, items: Sequence[Item], mode: Mode) -> list[Item]:
        """Items a mode accepts, each with its tier in the metadata and before its text.

        Raises:
            NoValidSourcesError: strict accepts none of them.
        """
        sifted = self.sift(items, mode)
        for item, reason in sifted.dropped:
            _log.info("%s is left out: %s", escaped(item.url), reason)
        if sifted.kept or self._modes_of(mode).max_tier is None or mode == "discovery":
            return sifted.kept
        highest = self._modes_of(mode).max_tier
        raise NoValidSourcesError(
            f"Mode {mode} accepts sources of tier 1 to {highest}, and none of the {len(items)} found is one.",
            "Research in mode discovery, or add the sources you trust to research.source_tiers"
            " (for files of a folder with `folders`).",
            dropped=len(sifted.dropped),
        )

    def sift(self, items: Sequence[Item], mode: Mode) -> Sifted:
        """The same without an error, and with what was dropped and why."""
        kept: list[Item] = []
        dropped: list[tuple[Item, str]] = []
        for item in map(without_prefix, items):
            trust = self._trust_of(item)
            reason = self._refusal(trust, item, mode)
            if reason:
                dropped.append((item, reason))
            else:
                kept.append(_enriched(item, trust, warn=mode == "discovery"))
        tiers = self._modes_of(mode).compare_tiers
        return Sifted(_paired(kept, tiers) if len(tiers) > 1 else kept, dropped)

    def _refusal(self, trust: _Trust, item: Item, mode: Mode) -> str:
        highest = self._modes_of(mode).max_tier
        if highest is None or mode == "discovery":
            return ""
        if trust.tier == UNKNOWN and self.claims(item):
            return (
                f"mode {mode} accepts known sources only; the file calls itself {escaped(item.site)!r},"
                " which is no proof. If it is, add its folder to `folders` in research.source_tiers."
            )
        if trust.tier == UNKNOWN:
            return f"mode {mode} accepts known sources only, and {escaped(item.site or item.url)!r} is none."
        if trust.tier > highest:
            return (
                f"mode {mode} accepts tiers up to {highest}, and {escaped(item.site)!r} is of {trust.tier}."
            )
        return ""

    def _modes_of(self, mode: Mode) -> Any:
        return getattr(self._modes, mode)

    def _trust_of(self, item: Item) -> _Trust:
        path = item.schema_object.get(FILE)
        if isinstance(path, str):
            return self._trust_of_file(path)
        found = (self._trust(source) for source in (item.site, item.url, item.siteUrl))
        return next((trust for trust in found if trust is not _NOBODY), _NOBODY)

    def _trust_of_file(self, path: str) -> _Trust:
        """By the user's own table of folders: whatever a file or a folder calls itself, anybody can write."""
        place = unicodedata.normalize("NFKC", unquote(path))
        fits = [
            (len(pattern), trust)
            for pattern, trust in self._folders
            if fnmatch.fnmatchcase(place, pattern) or fnmatch.fnmatchcase(place, f"{pattern}/*")
        ]
        return max(fits, key=lambda pair: pair[0])[1] if fits else _NOBODY

    def _trust(self, source: str) -> _Trust:
        known = self._names.get(_folded(source))
        host = _host(source)
        if known is not None or not host:
            return known or _NOBODY
        # The longest domain speaks for a host: money.udn.com before udn.com.
        for domain in sorted(self._domains, key=len, reverse=True):
            if host == domain or fnmatch.fnmatchcase(host, f"*.{domain}"):
                return self._domains[domain]
            if "*" in domain and fnmatch.fnmatchcase(host, domain):
                return self._domains[domain]
        return _NOBODY


def without_prefix(item: Item) -> Item:
    """An item as it was before it was enriched: offsets and digests are those of this one."""
    chars = item.schema_object.get(PREFIX_CHARS)
    metadata = {k: v for k, v in item.schema_object.items() if k not in (METADATA, PREFIX_CHARS)}
    text = item.description
    # A source may bring fields of these names itself, so what is taken off must be what is put there.
    if isinstance(chars, int) and _PREFIX.fullmatch(text[: max(chars, 0)]):
        text = text[chars:]
    return item.model_copy(update={"description": text, "schema_object": metadata})


def _enriched(item: Item, trust: _Trust, *, warn: bool) -> Item:
    prefix = f"[Tier {trust.tier} | {trust.kind}] "
    if warn and (trust.tier >= _LEAST_RELIABLE_FROM or trust.tier == UNKNOWN):
        prefix += _WARNING["zh" if item.language == "zh" else "en"]
    metadata = {"tier": trust.tier, "type": trust.kind, "original_source": item.site}
    return item.model_copy(
        update={
            "description": prefix + item.description,
            "schema_object": {**item.schema_object, METADATA: metadata, PREFIX_CHARS: len(prefix)},
        }
    )


def _paired(items: list[Item], tiers: Sequence[int]) -> list[Item]:
    """Items of the first tier, each followed by the one of the last most like it; then the rest."""
    words = [frozenset(tokens_of(item.description)) for item in items]
    tier = [item.schema_object[METADATA]["tier"] for item in items]
    free = {n for n in range(len(items)) if tier[n] == tiers[-1]}
    order: dict[int, Item] = {}
    for n in (n for n in range(len(items)) if tier[n] == tiers[0]):
        order[n] = items[n]
        like = max(sorted(free), key=lambda other: _overlap(words[n], words[other]), default=None)
        if like is not None and _overlap(words[n], words[like]) >= _LEAST_ALIKE:
            free.discard(like)
            order[n] = _comparing(items[n], items[like].url)
            order[like] = _comparing(items[like], items[n].url)
    return [*order.values(), *(item for n, item in enumerate(items) if n not in order)]


def _comparing(item: Item, url: str) -> Item:
    return item.model_copy(update={"schema_object": {**item.schema_object, COMPARED_WITH: url}})


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (min(len(one), len(other)) or 1)


def _host(source: str) -> str:
    try:
        host = urlsplit(source if "//" in source else f"//{source}").hostname or ""
    except ValueError:
        return ""
    return host.strip(".") if "." in host else ""


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()
