"""Which language a file is in, by the end of its name: Python, and those whose functions lizard finds."""

from __future__ import annotations

from pathlib import PurePath

PYTHON = "python"
SUFFIXES = {
    PYTHON: "py pyw",
    "c": "c h",
    "c#": "cs",
    "c++": "cpp cc cxx hh hpp",
    "erlang": "erl hrl es escript",
    "fortran": "f70 f90 f95 f03 f08 f for ftn fpp",
    "gdscript": "gd",
    "go": "go",
    "java": "java",
    "javascript": "js cjs mjs jsx",
    "kotlin": "kt kts",
    "lua": "lua",
    "objective-c": "m mm",
    "perl": "pl pm",
    "php": "php",
    "plsql": "sql pks pkb pls plb pck",
    "r": "r",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "solidity": "sol",
    "structured text": "st",
    "swift": "swift",
    "ttcn-3": "ttcn ttcnpp",
    "typescript": "ts tsx",
    "vue": "vue",
    "zig": "zig",
}
"""Suffixes by language; those of lizard's readers, which a test holds this table to."""

FLAT = frozenset({"erlang", "fortran", "lua", "plsql", "ruby", "structured text"})
"""Where lizard does not track how blocks are nested, so that it cannot tell cognitive complexity."""

_LANGUAGES = {f".{suffix}": language for language, all_of in SUFFIXES.items() for suffix in all_of.split()}


def language_of(name: str) -> str | None:
    """Language of a file by its name, in small or capital letters; None if none is known."""
    return _LANGUAGES.get(PurePath(name).suffix.lower())
