"""The reference of settings as one Markdown page: `reflect config reference`, kept as docs/settings.md."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.resources import files

from cli.settings_reference import Group, Row, groups

_HEADER = "| setting | takes | default | meaning | a project's file |\n|---|---|---|---|---|\n"


def page() -> str:
    """The whole page."""
    preface = (files("configs") / "pages" / "settings_preface.md").read_text("utf-8")
    held = [group for group in groups() if group.rows]
    contents = "\n".join(f"- [{_title(group)}](#{anchor_of(group)})" for group in held)
    return "\n".join([preface, "## Sections\n", contents, "", *map(_section, held)])


def as_json() -> str:
    """Every row as JSON, by its key."""
    rows = {row.key: asdict(row) for group in groups() for row in group.rows}
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def anchor_of(group: Group) -> str:
    """The name by which a link finds a section."""
    return f"section-{group.title}" if group.title else "section-top"


def _title(group: Group) -> str:
    return f"`{group.title}`" if group.title else "At the top"


def _section(group: Group) -> str:
    about = group.about if group.title else "What stands in no section."
    alike = f"ROLE or NAME is one of {_names(group)}.\n\n" if len(group.names) > 1 else ""
    rows = "".join(map(_line, group.rows))
    return f'<a id="{anchor_of(group)}"></a>\n\n## {_title(group)}\n\n{about}\n\n{alike}{_HEADER}{rows}'


def _names(group: Group) -> str:
    """The words that stand where sections that are alike differ."""
    place = next(number for number, word in enumerate(group.title.split(".")) if word in ("ROLE", "NAME"))
    return ", ".join(f"`{name.split('.')[place]}`" for name in group.names)


def _line(row: Row) -> str:
    anchors = "".join(f'<a id="{key}"></a>' for key in dict.fromkeys((row.key, *row.keys)))
    variable = f"<br><sub>{row.variable}</sub>" if row.variable else ""
    pinned = "".join(f" Profile `{name}`: {told}." for name, told in row.profiles.items())
    default = row.default if row.default in ("unset", "required") else f"`{row.default}`"
    cells = (f"{anchors}`{row.key}`{variable}", row.takes, default, row.meaning + pinned, row.project)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"
