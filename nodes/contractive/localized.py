"""Countries, languages and cities under their names in several languages, from the Unicode CLDR. Pure.

Babel carries the tables; a name that means two things in them means nothing here.
"""

from __future__ import annotations

from functools import cache

from nodes.contractive.wording import plain

LANGUAGES = ("en", "zh_Hans", "zh_Hant", "de", "fr", "es", "it", "ja")


@cache
def _names() -> dict[str, frozenset[str]]:
    from babel import Locale

    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        locale = Locale.parse(language)
        tables = [("territory", locale.territories), ("language", locale.languages)]
        for kind, table in tables:
            for code, name in table.items():
                _add(found, str(name), f"{kind}:{code}")
        for zone, told in locale.time_zones.items():
            if "/" in zone and "city" in told:
                _add(found, str(told["city"]), f"city:{zone}")
        for width in ("wide",):
            for number, name in locale.days["stand-alone"][width].items():
                _add(found, str(name), f"weekday:{number}")
            for number, name in locale.months["stand-alone"][width].items():
                _add(found, str(name), f"month:{number}")
    # English city names that equal their zone's key are left out of the table.
    for zone in Locale.parse("de").time_zones:
        if "/" in zone:
            _add(found, zone.rpartition("/")[2].replace("_", " "), f"city:{zone}")
    return {name: frozenset(codes) for name, codes in found.items()}


def _add(found: dict[str, set[str]], name: str, code: str) -> None:
    found.setdefault(plain(name), set()).add(code)


def concepts_named(name: str) -> frozenset[str]:
    """What a name stands for: codes such as "territory:RU"; none for a name the tables lack."""
    return _names().get(plain(name).strip(), frozenset())


def same_place(one: str, other: str) -> bool | None:
    """True if two names are of one country, language, city or day; False if of two of a kind; None if not known."""
    first, second = concepts_named(one), concepts_named(other)
    if not first or not second:
        return None
    if first & second:
        return True
    kinds = {code.partition(":")[0] for code in first} & {code.partition(":")[0] for code in second}
    return False if kinds else None
