"""Countries, languages and cities under their names in several languages, from the Unicode CLDR. Pure.

Babel carries the tables; a name that means two things in them means nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from nodes.contractive.reading.wording import plain

if TYPE_CHECKING:
    from babel import Locale

LANGUAGES = ("en", "zh_Hans", "zh_Hant", "de", "fr", "es", "it", "ja")


@cache
def _names() -> dict[str, frozenset[str]]:
    from babel import Locale

    found: dict[str, set[str]] = {}
    for locale in map(Locale.parse, LANGUAGES):
        for code, name in _told(locale):
            found.setdefault(plain(name), set()).add(code)
    # A city's English name is left out of the tables where it is the key of its zone.
    for zone in map(str, Locale.parse("de").time_zones):
        if "/" in zone:
            city = zone.rpartition("/")[2].replace("_", " ")
            found.setdefault(plain(city), set()).add(f"city:{zone}")
    return {name: frozenset(codes) for name, codes in found.items()}


def _told(locale: Locale) -> Iterator[tuple[str, str]]:
    """Codes with their names in one language."""
    tables: dict[str, Any] = {
        "territory": locale.territories,
        "language": locale.languages,
        "weekday": locale.days["stand-alone"]["wide"],
        "month": locale.months["stand-alone"]["wide"],
    }
    for kind, names in (("weekday", locale.days), ("month", locale.months)):
        short = names["format"]["abbreviated"]
        yield from ((f"{kind}:{code}", str(name).rstrip(".")) for code, name in short.items())
    for kind, table in tables.items():
        yield from ((f"{kind}:{code}", str(name)) for code, name in table.items())
    for zone, told in locale.time_zones.items():
        if "/" in str(zone) and "city" in told:
            yield f"city:{zone}", str(told["city"])


# Common short forms the tables lack.
_ALIASES = {
    "US": "us|usa|u.s.|u.s.a.|america|united states of america|the united states", "GB": "uk|u.k.|great britain|britain|the united kingdom|英国",
    "CN": "prc|people's republic of china|mainland china|中国大陆", "KR": "republic of korea", "KP": "dprk", "AE": "uae", "NL": "holland|the netherlands",
    "RU": "russian federation", "CZ": "czech republic", "TW": "台湾", "EU": "eu",
}  # fmt: skip


def concepts_named(name: str) -> frozenset[str]:
    """What a name stands for: codes such as "territory:RU"; none for a name the tables lack."""
    told = plain(name).strip()
    short = told.strip(".").removeprefix("the ")
    found = {f"territory:{code}" for code, names in _ALIASES.items() if {told, short} & set(names.split("|"))}
    return _names().get(told) or _names().get(short) or frozenset(found)


def same_place(one: str, other: str) -> bool | None:
    """True if two names are of one country, language, city or day; False if of two of a kind; None if not known."""
    first, second = concepts_named(one), concepts_named(other)
    if not first or not second:
        return None
    if first & second:
        return True
    kinds = {code.partition(":")[0] for code in first} & {code.partition(":")[0] for code in second}
    return False if kinds else None
