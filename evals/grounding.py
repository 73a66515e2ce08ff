"""How often a grounded answer is refused, and an ungrounded one let through: `python -m evals.grounding`.

Answers are made from facts of a seeded generator: a number, date, path, name, hash or quotation is put into
the evidence and into an answer in one of six languages, written as people there do. The ungrounded answer
holds the same fact changed. Ordinary prose states no fact, so it must never be refused.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from nodes.reflective.grounding import ungrounded
from nodes.reflective.number_words import HAN, WORDS

FRAMES = {
    "en": ("The answer is {}.", "There are {} of them in the project.", "It is {}, as the output says."),
    "de": ("Es sind {} und nicht mehr.", "Die Antwort ist {} in dem Projekt.", "Es gibt {} in den Dateien."),
    "fr": (
        "Il y a {} dans les fichiers.",
        "La réponse est {} et non autre chose.",
        "C'est {} dans le projet.",
    ),
    "es": (
        "Hay {} en los archivos.",
        "La respuesta es {} en el proyecto.",
        "Son {} y no hay más en la lista.",
    ),
    "it": ("Ci sono {} nella lista dei file.", "La risposta è {} e non altro.", "Sono {} in il progetto."),
    "zh": ("一共有 {} 。", "答案是 {} 。", "结果为 {} 。"),
}
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
}
GROUPS = {"en": ",", "de": ".", "fr": "\u202f", "es": ".", "it": ".", "zh": ","}
SYLLABLES = "ba ko lum ri tes vor na quil dä sé ño".split()
PROSE = (
    "The output does not say which of them it is, and/or why.",
    "Yes, it does; the input/output layer is written for Node.js, e.g. for servers.",
    "No such file was found, so nothing can be said about it.",
    "Both files are equal, and neither of them is empty.",
    "The function reads the settings once and returns early, i.e. it never waits.",
    "Die Datei ist leer, und es gibt in ihr nichts zu finden.",
    "Le fichier est vide, et il n'y a rien de neuf dans la liste.",
    "El archivo no tiene errores y no hay que hacer nada en él.",
    "Il file è vuoto, e non ci sono errori nella lista: sei a posto.",
    "这个文件是空的，没有找到任何内容。",
    "It's due to the ships' owner, who said so once — 'tis true.",
    "As far as the output shows, the first one is the largest and the second is not.",
)  # fmt: skip


class Statement(NamedTuple):
    """Evidence, an answer it holds, and the same answer with the fact changed."""

    kind: str
    evidence: str
    grounded: str
    ungrounded: str


def statements(seed: int, count: int) -> Iterator[Statement]:
    """So many statements of every kind.

    Args:
        seed: of the generator.
        count: statements of each kind.
    """
    dice = random.Random(seed)
    for kind, make in MAKERS.items():
        for _ in range(count):
            yield Statement(kind, *make(dice))


Made = tuple[str, str, str]


def _framed(dice: random.Random, language: str, evidence: str, right: str, wrong: str) -> Made:
    frame = dice.choice(FRAMES[language])
    return evidence, frame.format(right), frame.format(wrong)


def _two(dice: random.Random, low: int, high: int) -> tuple[int, int]:
    first, second = dice.sample(range(low, high), 2)
    return first, second


def _integer(dice: random.Random) -> Made:
    right, wrong = _two(dice, 2, 10_000)
    return _framed(dice, dice.choice(list(FRAMES)), f"{right} total", str(right), str(wrong))


def _thousands(dice: random.Random) -> Made:
    language = dice.choice(list(FRAMES))
    right, wrong = (f"{value:,}".replace(",", GROUPS[language]) for value in _two(dice, 1000, 10**7))
    return _framed(dice, language, f"{int(''.join(filter(str.isdigit, right)))} ./a", right, wrong)


def _decimal(dice: random.Random) -> Made:
    language = dice.choice(list(FRAMES))
    first, second = _two(dice, 11, 9999)
    right, wrong = (f"{value / 10:.1f}" for value in (first, second))
    sign = "." if language in ("en", "zh") else ","
    return _framed(dice, language, f"mean {right}", right.replace(".", sign), wrong.replace(".", sign))


def _percent(dice: random.Random) -> Made:
    right, wrong = _two(dice, 2, 99)
    blank = dice.choice(("", " "))
    return _framed(
        dice, dice.choice(list(FRAMES)), f"coverage: {right}%", f"{right}{blank}%", f"{wrong}{blank}%"
    )


def _unit(dice: random.Random) -> Made:
    right, wrong = _two(dice, 2, 999)
    unit = dice.choice(("KB", "MB", " KB", " bytes", "ms", " s"))
    return _framed(dice, dice.choice(list(FRAMES)), f"size {right}{unit}", f"{right}{unit}", f"{wrong}{unit}")


def _range(dice: random.Random) -> Made:
    low, high, other = dice.sample(range(10, 99), 3)
    dash = dice.choice(("-", "–", " to ", "..."))
    return _framed(dice, "en", f"{low}\n{high}", f"{low}{dash}{high}", f"{low}{dash}{other}")


def _negative(dice: random.Random) -> Made:
    value = dice.randrange(2, 999)
    sign = dice.choice("-−")
    return _framed(
        dice,
        dice.choice(list(FRAMES)),
        f"offset: -{value}\n{value + 1}",
        f"{sign}{value}",
        f"{sign}{value + 1}",
    )


def _word(dice: random.Random) -> Made:
    language = dice.choice(list(WORDS))
    words = [word for word in WORDS[language] if word not in ("thousand", "million")]
    right, wrong = dice.sample(words, 2)
    if WORDS[language][right] == WORDS[language][wrong]:
        wrong = next(word for word in words if WORDS[language][word] != WORDS[language][right])
    return _framed(dice, language, f"{WORDS[language][right]} total", right, wrong)


def _han(dice: random.Random) -> Made:
    right, wrong = dice.sample([sign for sign, value in HAN.items() if value > 1 and sign != "两"], 2)
    return f"{HAN[right]} total", f"一共有{right}个文件。", f"一共有{wrong}个文件。"


def _digits(dice: random.Random) -> Made:
    right, wrong = _two(dice, 10, 99_999)
    zero = ord(dice.choice("０٠०"))
    return (
        f"{right} total",
        f"一共有 {''.join(chr(zero + int(digit)) for digit in str(right))} 。",
        f"一共有 {''.join(chr(zero + int(digit)) for digit in str(wrong))} 。",
    )


def _date(dice: random.Random) -> Made:
    language = dice.choice(list(MONTHS))
    year, (month, other), day = dice.randrange(1990, 2030), _two(dice, 1, 13), dice.randrange(1, 29)
    dot = "." if language == "de" else ""
    names = MONTHS[language].split()
    right, wrong = (f"{day}{dot} {names[number - 1]} {year}" for number in (month, other))
    # The day and the year stand in the evidence of both.
    return _framed(dice, language, f"{year}-{month:02d}-{day:02d} fix {day}", right, wrong)


def _name(dice: random.Random) -> str:
    return "".join(dice.choice(SYLLABLES) for _ in range(3))


def _path(dice: random.Random) -> Made:
    folder, right, wrong = (f"{_name(dice)}{number}" for number in "abc")
    ending = dice.choice((".py", ".md", ".tar.gz", ".csv", ""))
    return _framed(
        dice, dice.choice(list(FRAMES)), f"./{folder}/{right}{ending}:3:x", f"{folder}/{right}{ending}",
        f"{folder}/{wrong}{ending}",
    )  # fmt: skip


def _windows(dice: random.Random) -> Made:
    right, wrong = _name(dice) + "a", _name(dice) + "b"
    drive = dice.choice(("C:\\", ""))
    return _framed(
        dice, "en", f"{drive}src\\{right}.py", f"{drive}src\\{right}.py", f"{drive}src\\{wrong}.py"
    )


def _bare(dice: random.Random) -> Made:
    right, wrong = _name(dice) + "a", _name(dice) + "b"
    frame = dice.choice(("The file is called {}.", "It is the branch named {}, as shown.", "It is `{}`."))
    return f"{right}\n", frame.format(right), frame.format(wrong)


def _hash(dice: random.Random) -> Made:
    right, wrong = (f"{dice.getrandbits(156):040x}" for _ in range(2))
    length = dice.choice((7, 10, 40))
    return _framed(dice, dice.choice(list(FRAMES)), f"commit {right}", right[:length], wrong[:length])


def _quote(dice: random.Random) -> Made:
    right, wrong = [_name(dice) for _ in range(5)], [_name(dice) for _ in range(5)]
    left, closing = dice.choice((('"', '"'), ("“", "”"), ("«", "»"), ("„", "“"), ("`", "`")))
    shape = dice.choice(("{}", "{}\n{}" if left in "“«„" else "{}", "{} ... {}", "{} […] {}"))

    def said(words: list[str]) -> str:
        halves = (
            (" ".join(words[:2]), " ".join(words[3:]))
            if "." in shape or "…" in shape
            else (" ".join(words[:2]), words[2])
        )
        return f"It says {left}{shape.format(*halves) if shape != '{}' else ' '.join(words)}{closing}."

    return " ".join(right), said(right), said([*wrong[:3], *wrong[3:]])


MAKERS: dict[str, Callable[[random.Random], Made]] = {
    "integer": _integer, "thousands": _thousands, "decimal": _decimal, "percent": _percent, "unit": _unit,
    "range": _range, "negative": _negative, "number word": _word, "Chinese number": _han,
    "other digits": _digits, "date": _date, "path": _path, "Windows path": _windows, "bare name": _bare,
    "hash": _hash, "quotation": _quote,
}  # fmt: skip


def measure(seed: int, count: int, show: bool = False) -> dict[str, object]:
    """Both error rates, over all and by kind."""
    refused: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for one in statements(seed, count):
        if missing := ungrounded(one.grounded, [one.evidence]):
            refused[one.kind] += 1
            if show:
                sys.stderr.write(f"refused {one.kind}: {one.grounded!r} by {one.evidence!r}: {missing}\n")
        if not ungrounded(one.ungrounded, [one.evidence]):
            passed[one.kind] += 1
            if show:
                sys.stderr.write(f"let through {one.kind}: {one.ungrounded!r} by {one.evidence!r}\n")
    prose = [text for text in PROSE if ungrounded(text, ["a.txt:1:x"])]
    total = count * len(MAKERS)
    return {
        "seed": seed,
        "statements": total,
        "grounded_refused_share": round(refused.total() / total, 4),
        "ungrounded_passed_share": round(passed.total() / total, 4),
        "grounded_refused": dict(refused),
        "ungrounded_passed": dict(passed),
        "prose": len(PROSE),
        "prose_refused": prose,
    }


def main() -> None:
    """Print the rates as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="statements of each kind")
    parser.add_argument("--show", action="store_true", help="list the answers that went the wrong way")
    arguments = parser.parse_args()
    report = measure(arguments.seed, arguments.count, arguments.show)
    sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
