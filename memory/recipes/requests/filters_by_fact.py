"""Files by what the system keeps of them: size, age, owner, permissions."""

from __future__ import annotations

import re

from memory.recipes.quantities import UNIT_BYTES
from memory.recipes.requests.filter_wording import LESS, MORE, SPANS, Handler
from memory.recipes.requests.marked import Marked, number
from memory.recipes.requests.selection import Selection

CLOCK = {"accessed": "amin", "read": "amin", "opened": "amin"}


def that_is(**tests: object) -> Handler:
    """Add tests of `find` that say one thing; a request that says it twice is not understood."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        if tests.keys() & selection.tests.keys():
            return False
        selection.tests |= tests
        return True

    return handle


def with_permission(value: str) -> Handler:
    """Add a test of the permissions, the contrary one behind "not"."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        denied = "no" in match.re.groupindex and bool(match["no"])
        test = value if not denied else value.removeprefix("!") if value.startswith("!") else f"!{value}"
        selection.tests["perms"] = [*selection.tests.get("perms", []), test]
        return True

    return handle


def with_mode(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "with mode 644": exactly these permissions."""
    return with_permission(marked.value(match["x"]).lstrip("0") or "0")(selection, match, marked)


def of_size(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "larger than 2 MB": of a size in bytes, whole ones only."""
    amount = match["n"].lower().replace(",", "")
    size = (
        1 if amount in ("a", "an") else float(amount) if re.match(r"\d", amount) else number(amount)
    ) * UNIT_BYTES[match["unit"].lower()]
    words = match["how"].lower()
    if size != int(size):
        return False
    bytes_ = int(size)
    at_least = bool(re.search(r"at least|>=|no (?:smaller|less)", words))
    at_most = bool(re.search(r"at most|up to|<=|no (?:larger|bigger|more)|not exceeding", words))
    if re.fullmatch(rf"(?:with |that (?:are|is) )?{MORE}", words, re.IGNORECASE):
        selection.sizes.append(f"+{bytes_ - 1 if at_least else bytes_}c")
    elif re.fullmatch(rf"(?:with |that (?:are|is) )?{LESS}", words, re.IGNORECASE):
        selection.sizes.append(f"-{bytes_ + 1 if at_most else bytes_}c")
    else:
        selection.sizes.append(f"{bytes_}c")
    return True


def of_fixed_size(test: str) -> Handler:
    """Add a size that the words imply, such as that of "empty"."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        selection.sizes.append(test)
        return True

    return handle


def between_sizes(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "between 1 and 5 KB", both ends counted."""
    unit = match["unit"].lower()
    low, high = (float(match[name].replace(",", "")) for name in ("low", "high"))
    least = int(low * UNIT_BYTES[(match["unit1"] or unit).lower()])
    selection.sizes += [f"+{least - 1}c"] if least else []
    selection.sizes.append(f"-{int(high * UNIT_BYTES[unit]) + 1}c")
    return least <= int(high * UNIT_BYTES[unit])


def _minutes(match: re.Match[str]) -> float | None:
    amount = (match["n"] or "1").lower()
    if amount in ("few", "couple of"):
        return None
    return SPANS[match["unit"].lower()] * (1 if amount in ("a", "an") else number(amount))


def of_age(sign: str) -> Handler:
    """Read "modified in the last 3 days"; the sign is that of `find -mmin`."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        minutes = _minutes(match)
        what = (match["what"] or "modified").lower() if "what" in match.re.groupindex else "modified"
        # When a file was made is kept by no tool here.
        if minutes is None or what in ("created", "added"):
            return False
        option = CLOCK.get(what, "mmin")
        if option in selection.tests:
            return False
        selection.tests[option] = f"{sign}{round(minutes)}" if minutes >= 1 else f"{sign}{minutes:.3f}"
        return True

    return handle


def of_today(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "modified today": since midnight."""
    if "modified_after" in selection.tests:
        return False
    selection.tests["modified_after"] = "today 00:00"
    return True


def of_yesterday(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "modified yesterday": from midnight to midnight."""
    selection.tests |= {"modified_after": "yesterday 00:00", "modified_before": "today 00:00"}
    return True


def of_date(side: str) -> Handler:
    """Read "changed since 2024-01-31", or before it; the side is the argument of the tool."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        after = "23:59:59" if match["how"].lower() == "after" else "00:00:00"
        if side in selection.tests:
            return False
        selection.tests[side] = f"{match['date']} {after}"
        return True

    return handle


def newer_than(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "newer than a.txt": changed after that file was."""
    selection.tests["newer"] = marked.value(match["x"])
    return True


def owned_by(test: str) -> Handler:
    """Read "owned by ann": the user or the group, by the name of the test."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        if test in selection.tests:
            return False
        selection.tests[test] = marked.value(match["x"])
        return True

    return handle
