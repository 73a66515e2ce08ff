"""Files by the texts they hold."""

from __future__ import annotations

import re

from memory.recipes.requests.filters_by_name import NAMED_SIGNS
from memory.recipes.requests.marked import KINDS_OF_SIGN, Marked
from memory.recipes.requests.selection import Content, Selection


def with_content(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "containing TODO or FIXME": texts of which any or all are held, or none."""
    named = [part for part in JOINT.split(match["x"]) if part]
    if any(part.lower() in KINDS_OF_SIGN or part in NAMED_SIGNS for part in named):
        return False
    texts = tuple(marked.value(part) for part in named)
    joints = {joint.strip(" ,").split(" ")[0].lower() for joint in JOINT.findall(match["x"])} - {""}
    how = (match["how"] or "").strip().lower()
    denied = bool(match["no"]) or how == "neither"
    all_of = "and" in joints or how == "both"
    # "not a and b" may rule out both together or each; "either a and b" says nothing.
    if len(joints) > 1 or (all_of and (denied or how == "either")) or (len(texts) > 1 and not joints):
        return False
    if ("nor" in joints) != (how == "neither") or (how == "both" and "or" in joints):
        return False
    if how and len(texts) < 2:
        return False
    is_word = (match["noun"] or "").strip() in ("word", "words")
    groups = [(text,) for text in texts] if all_of else [texts]
    for group in groups:
        word = is_word and all(re.fullmatch(r"\w+", text) for text in group)
        selection.contents.append(Content(group, denied, word))
    return True


JOINT = re.compile(r",? (?:and|or|nor) (?:the (?:words?|texts?|strings?) )?|, ", re.IGNORECASE)
