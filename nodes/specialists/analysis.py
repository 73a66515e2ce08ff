"""The specialist for how code is built: complexity, sizes, cycles, copies, history, risk."""

from __future__ import annotations

import re

from nodes.specialists import function_topics, module_topics, structure_topics
from nodes.specialists.reading.scope import MASK
from nodes.specialists.topics import Narrowing, Specialist, Topic

IMPORTED = re.compile(
    r"\bimport(?:s|ing)? (?:the )?(?:module |package |library )?(?!(?:the|each|one|a|does|do|has|have|in|of|from|are|is|there)\b)([\w.]+)"
)


def narrowed(text: str, topic: Topic) -> list[Narrowing]:
    """Methods alone, public or private functions, languages, and what is imported."""
    found = []
    if topic.noun == function_topics.NOUN:
        if re.search(r"\bmethods?\b", text) and not re.search(r"\bfunctions?\b", text):
            found.append(Narrowing(frozenset({"method"}), noun=("method", "methods")))
        for which in ("public", "private"):
            if re.search(rf"\b{which}\b", text):
                found.append(Narrowing(frozenset({which}), before=f"{which} "))
    if topic.id == "left_out" and re.search(r"\bsyntax\b|\bpars", text):
        found.append(Narrowing(frozenset({"reason:syntax"}), noun=("syntax error", "syntax errors")))
    if topic.id == "imports" and (match := IMPORTED.search(text)) and MASK not in match[1]:
        found.append(Narrowing(frozenset({f"module:{match[1]}"}), after=f" of {match[1]}"))
    return found


ANALYSIS = Specialist(
    name="analysis",
    field="how the code is built: complexity, sizes, cycles, duplicates, coupling, history, risk",
    topics=(
        module_topics.DUPLICATED,
        *structure_topics.TOPICS,
        *module_topics.TOPICS,
        *function_topics.TOPICS,
        module_topics.RISK,
        structure_topics.IMPORTS,
        structure_topics.RECOMMENDATIONS,
        module_topics.CLASSES,
        function_topics.FUNCTIONS,
        module_topics.FILES,
    ),
    prompt="specialist_analysis",
    narrowed=narrowed,
)
