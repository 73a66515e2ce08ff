"""Settings of two levels, written as JSON, YAML, TOML or INI."""

from __future__ import annotations

import json
from collections.abc import Mapping

Settings = Mapping[str, Mapping[str, object]]
"""Sections, each with its keys and their values: texts, numbers, booleans, lists of texts."""


def settings_text(settings: Settings, suffix: str) -> str:
    """The text of a configuration file, one key a line.

    Args:
        settings: what it is to say; no null in TOML, only texts and integers in INI.
        suffix: of the file: .json, .yaml, .toml or .ini.
    """
    if suffix == ".json":
        return _json(settings)
    lines = []
    for section, keys in settings.items():
        lines += [f"{section}:"] if suffix == ".yaml" else ["", f"[{section}]"]
        for key, value in keys.items():
            # What JSON says of a text, a number, a truth or a list of texts is YAML and TOML, too.
            said = str(value) if suffix == ".ini" else json.dumps(value)
            lines.append(f"  {key}: {said}" if suffix == ".yaml" else f"{key} = {said}")
    return "\n".join(lines).lstrip("\n") + "\n"


def line_of(settings: Settings, suffix: str, section: str, key: str) -> int:
    """Number of the line that sets a key, from 1, in the text `settings_text` writes."""
    lines = settings_text(settings, suffix).splitlines()
    heads = {
        ".json": f'  "{section}": {{',
        ".yaml": f"{section}:",
        ".toml": f"[{section}]",
        ".ini": f"[{section}]",
    }
    at = lines.index(heads[suffix]) + 1
    starts = {".json": f'    "{key}": ', ".yaml": f"  {key}: ", ".toml": f"{key} = ", ".ini": f"{key} = "}
    return next(number for number in range(at, len(lines)) if lines[number].startswith(starts[suffix])) + 1


def _json(settings: Settings) -> str:
    sections = []
    for section, keys in settings.items():
        inner = ",\n".join(f'    "{key}": {json.dumps(value)}' for key, value in keys.items())
        sections.append(f'  "{section}": {{\n{inner}\n  }}')
    return "{\n" + ",\n".join(sections) + "\n}\n"
