"""Whether a goal says to use a tool that it names in full, rather than asking about it or ruling it out."""

from __future__ import annotations

import re

from memory.recipes.requests.wording import plain

# The dot of a name is followed by a letter, never by a blank.
SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])\s*|\n+")
# In the languages whose orders are read (configs/lexicon/orders.yaml), and before the name: what it is for
# comes behind.
USE = re.compile(
    r"(?:\b(?:use|using|call|calling|run|running|invoke|invoking|execute|executing|apply|try|trigger|with|via"
    r"|through|by"
    r"|utilise[rz]?|appelle[rz]?|lance[rz]?|ex[ée]cute[rz]?|avec|par"
    r"|verwende|benutze|nutze|nimm|rufe?|f[üu]hre|starte|mit|[üu]ber|durch"
    r"|usa|use|utiliza|utilice|llama|ejecuta|con|mediante"
    r"|utilizza|chiama|esegui|tramite)\b|[用以]|使用|调用|調用|运行|執行|执行|通过|通過)[^.;?!。]{0,60}$",
    re.IGNORECASE,
)
RULED_OUT = re.compile(
    r"(?:\b(?:do(?:es)? not|don['’]?t|must not|may not|never|not|without|instead of|rather than|avoid|except"
    r"|sans|jamais|nicht|niemals|ohne|statt|nunca|sin|en vez de|mai|senza|invece di)\b|\bn['’e]"
    r"|不要|别|別|不用|不)[^.;?!。]{0,60}$",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"(?:how|what|what['’]s|which|who|whose|why|when|where|does|do|did|is|are|was|were|has|have|should|may"
    r"|explain|describe|comment|pourquoi|quel\w*|que|wie|was|warum|welche\w*|wann|c[óo]mo|qu[ée]|cu[áa]l"
    r"|come|che|quale|perch[ée])\b|什么|什麼|怎么|怎麼|如何|为什么|為什麼",
    re.IGNORECASE,
)


def says_to_use(goal: str, name: str, *, asking: bool = False) -> bool:
    """True if a sentence of the goal orders the use of a tool. Pure.

    Args:
        goal: as written.
        name: the tool's full name, as it stands in the goal.
        asking: a question that is to be answered with it counts as well ("How warm is it, by ...?"); not for
            a tool that changes something, which "how do I open a ticket with ...?" is not meant to do.
    """
    sentences = [plain(sentence.strip()) for sentence in SENTENCE.split(goal) if name in sentence]
    return any(_orders(sentence, name, asking) for sentence in sentences)


def _orders(sentence: str, name: str, asking: bool) -> bool:
    before, _, _ = sentence.partition(name)
    asks = ASKS.match(sentence.lstrip(" ¿¡\"'`")) is not None
    if (asks and not asking) or RULED_OUT.search(before):
        return False
    return not before.strip(" \"'`") or USE.search(before) is not None
