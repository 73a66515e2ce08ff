"""Which language a short text is in, by its script and its commonest words. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.folding import HAN

# Words that are as often another language's ("die", "was", "in", "or") are left out of both.
_COMMON = {
    "en": "the is are of and to it that this with for from what which who how when where why does did do were has have had be been not can could would should by at on as there their its they he she you your because than more most or",
    "de": "der das und ist sind ein eine einen einem einer eines nicht mit von zu für auf aus bei nach wie wer wo wann warum weshalb wieso welche welcher welches welchem welchen diese dieser dieses kostet dürfen sollte hat haben wird wurde wurden waren ich du sie wir ihr es dass den dem des im am zum zur über oder auch als kein keine durch viele viel heißt gibt kann mehr",
    "fr": "le les des et est sont une du dans pour avec qui que quoi où comment pourquoi quel quelle il elle ils elles nous vous au aux par sur pas ne ce cette ces plus ou été la l d qu",
    "es": "el los las y es son una del para con que qué quién cuándo dónde cómo por cuál no se su al lo como más fue está la en un",
    "it": "il lo gli e è sono una del della dei per con che chi quando dove come perché quale non si nel nella da di più stato la un",
    "pt": "o os as e é são uma do da dos das para com que quem quando onde como por não se no na ao foi mais um em",
    "nl": "de het en is zijn een van met voor dat die wie waar wanneer hoe waarom niet op aan te bij door was werd ook als",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")), ("ko", re.compile(r"[\uac00-\ud7af]")), ("ru", re.compile(r"[\u0400-\u04ff]")), ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")), ("he", re.compile(r"[\u0590-\u05ff]")), ("hi", re.compile(r"[\u0900-\u097f]")), ("th", re.compile(r"[\u0e00-\u0e7f]")),
)  # fmt: skip
_GERMAN_HEAD = re.compile(
    r"\W*(?:und )?(?:was|wer|wo|wie|wann|warum|weshalb|welche\w*|nenne|erkläre|beschreibe)\b", re.IGNORECASE
)
_UMLAUT = re.compile(r"[äöüß]", re.IGNORECASE)


def tongue(text: str) -> str | None:
    """The ISO code of a text's language, or None if its words do not tell.

    Two Han characters weigh as much as five letters of another script: a Chinese text may hold names in Latin.
    """
    for language, script in _SCRIPTS:
        if len(script.findall(text)) * 2 > len(re.findall(r"[^\W\d_]", text)):
            return language
    han, latin = len(HAN.findall(text)), len(re.findall(r"[A-Za-z]", text))
    if han and han * 5 >= latin * 2:
        return "ja" if re.search(r"[\u3040-\u30ff]", text) else "zh"
    words = re.findall(r"[^\W\d_]+", text.lower())
    hits = {language: sum(word in common for word in words) for language, common in _WORDS.items()}
    hits["de"] += bool(_UMLAUT.search(text))
    ranked = sorted(hits, key=lambda language: -hits[language])
    best, second = ranked[0], ranked[1]
    return best if hits[best] > hits[second] else None


def of_question(text: str) -> str:
    """zh, de or en: how a question is to be read; English where nothing tells otherwise."""
    told = tongue(text)
    if told in ("zh", "de", "en"):
        return told
    words = re.findall(r"[^\W\d_]+", text.lower())
    german, english = (sum(word in _WORDS[language] for word in words) for language in ("de", "en"))
    if german == english == 0:
        return "de" if _GERMAN_HEAD.match(text) else "en"
    return "de" if german > english else "en"
