"""Bytes into text, whatever encoding they are in; a file of two encodings is read line by line."""

from __future__ import annotations

from tools.search.extraction.document import Unreadable

# What documents of this kind are really in, when they are not UTF-8.
CANDIDATES = ["big5", "gb18030", "cp932", "euc_kr", "cp1252"]
_BOMS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_SAMPLE = 64_000


def decode(content: bytes) -> tuple[str, list[str]]:
    """Text with line feeds as line ends, and notes on anything that was not plain UTF-8.

    Raises:
        Unreadable: these bytes are no text.
    """
    encoding = next((name for bom, name in _BOMS.items() if content.startswith(bom)), "utf-8")
    notes: list[str] = []
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            text, notes = content.decode(encoding, "replace"), [f"has bytes that are not {encoding}"]
        elif error.start >= len(content) - 3 and error.reason == "unexpected end of data":
            text, notes = content[: error.start].decode(), ["ends in the middle of a character"]
        else:
            text, notes = _other(content)
    if "\0" in text:
        raise Unreadable("holds NUL bytes, so it is no text")
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def _other(content: bytes) -> tuple[str, list[str]]:
    lines = content.split(b"\n")
    utf8 = [_is_utf8(line) for line in lines]
    strange = [line for line, plain in zip(lines, utf8, strict=True) if not plain]
    mixed = any(plain and not line.isascii() for line, plain in zip(lines, utf8, strict=True))
    if not mixed:
        encoding = _guess(content)
        return content.decode(encoding, "replace"), [f"is not UTF-8 and was read as {encoding}"]
    encoding = _guess(b"\n".join(strange))
    first = utf8.index(False) + 1
    told = f"is UTF-8 but for {len(strange)} lines from line {first} on, which were read as {encoding}"
    text = "\n".join(
        line.decode("utf-8" if plain else encoding, "replace")
        for line, plain in zip(lines, utf8, strict=True)
    )
    return text, [told]


def _guess(content: bytes) -> str:
    if b"\0" in content[:_SAMPLE]:
        raise Unreadable("holds NUL bytes, so it is no text")
    from charset_normalizer import from_bytes

    best = from_bytes(content[:_SAMPLE], cp_isolation=CANDIDATES).best()
    # Every byte is a character of Windows' Latin alphabet or nearly, so it is what is left.
    return best.encoding if best is not None else "cp1252"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
