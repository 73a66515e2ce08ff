"""Numbers in words and digits as values, English and Chinese. Pure."""

from __future__ import annotations

import re

SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "m": 1e6, "mn": 1e6, "mln": 1e6,
    "b": 1e9, "bn": 1e9, "bln": 1e9, "tn": 1e12, "trn": 1e12, "lakh": 1e5, "crore": 1e7, "dozen": 12,
}  # fmt: skip
HAN_DIGITS = {
    sign: value
    for value, signs in enumerate(("零", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
    for sign in signs
}
HAN_TENS = {"十": 10, "百": 100, "千": 1000}
HAN_SCALES = {"万": 1e4, "亿": 1e8, "兆": 1e12}
UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
WORDS = {word: value for value, word in enumerate(UNITS)}
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS |= {word: 10 * value for value, word in enumerate(TENS, start=2)}
FRACTIONS = {"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5, "tenth": 10, "tenths": 10, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8}  # fmt: skip
# A count as it is written beside a unit.
HAN_COUNT = r"[零一二两三四五六七八九十百]+"
COUNT = rf"\d+|{HAN_COUNT}"


def counted(word: str) -> float:
    """The value of a number in digits or as one English word; 1 of "a" and what else is no number."""
    low = word.lower()
    return float(low) if low.isdecimal() else float(WORDS.get(low, 1))


def digits(written: str, han: str, scale: str) -> tuple[float, float]:
    """Value and step of "1,200" with 万 or "million" after it."""
    plain = written.replace(",", "").replace(" ", "")
    value, step = float(plain), 10.0 ** -(len(plain.partition(".")[2]))
    if scale:
        return value * SCALES[scale], step * SCALES[scale]
    if not han:
        return value, step
    total, rest = 0.0, value
    han = han.lstrip("多余")
    # "1亿2,000万" and "3千万": the parts are added.
    for number, signs in re.findall(r"(\d[\d,]*(?:\.\d+)?)?([十百千]?[万亿兆]?)", han):
        if number:
            plain = number.replace(",", "")
            rest, step = float(plain), 10.0 ** -(len(plain.partition(".")[2]))
        if signs:
            factor = 1.0
            for sign in signs:
                factor *= HAN_TENS.get(sign) or HAN_SCALES[sign]
            total, rest, step = total + rest * factor, 0.0, step * factor
    return total + rest, step


def han_words(word: str) -> tuple[float, float] | None:
    """The value of "三千二百万" or "一点五亿"."""
    word = re.sub("[多余]", "", word)
    whole, point, rest = word.partition("点")
    tail = re.search(r"[十百千万亿兆]*$", rest)
    scale = 1.0
    for sign in tail[0] if tail else "":
        scale *= HAN_TENS.get(sign) or HAN_SCALES[sign]
    if point:
        decimals = "".join(str(HAN_DIGITS[sign]) for sign in rest if sign in HAN_DIGITS)
        return (han_integer(whole) + float(f"0.{decimals or 0}")) * scale, 10.0 ** -len(decimals) * scale
    if re.fullmatch("[零一二两三四五六七八九]{2,}", word):
        # Digit by digit, as years are told; two in a row are "a few".
        return (float("".join(str(HAN_DIGITS[sign]) for sign in word)), 1.0) if len(word) > 2 else None
    value = han_integer(word)
    last = re.search(r"([十百千]?)([万亿兆]?)$", word)
    step = (HAN_TENS.get(last[1], 1) * HAN_SCALES.get(last[2], 1.0)) if last else 1.0
    return (value, step) if value else None


def han_integer(word: str) -> float:
    """The value of 三百二十."""
    total = section = digit = 0.0
    for sign in word:
        if sign in HAN_DIGITS:
            digit = HAN_DIGITS[sign]
        elif sign in HAN_TENS:
            section, digit = section + (digit or 1) * HAN_TENS[sign], 0.0
        else:
            total, section, digit = (total + section + digit or 1) * HAN_SCALES[sign], 0.0, 0.0
    return total + section + digit


def english(words: str) -> tuple[float, float] | None:
    """Value and step of "two hundred and five"; None for "a few"."""
    total = section = 0.0
    step = 1.0
    for word in re.split(r"[-, ]+", words):
        if word in ("and",):
            continue
        if word in ("a", "an"):
            section = 1.0
        elif word in WORDS:
            section, step = section + WORDS[word], 1.0
        elif word in ("several", "few"):
            return None
        elif word == "hundred":
            section, step = (section or 1) * 100, 100.0
        elif word == "dozen":
            section, step = (section or 1) * 12, 2.0
        else:
            total, section, step = total + (section or 1) * SCALES[word], 0.0, SCALES[word]
    return total + section, step


def small(word: str) -> float:
    """The value of a short number in digits or Han signs."""
    return float(word) if word.isdecimal() else han_integer(word)
