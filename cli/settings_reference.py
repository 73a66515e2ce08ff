"""Every setting as a row of facts, read from the schema; `cli/settings_page.py` writes them as a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from configs.environment import PREFIX
from configs.keys import Key, dotted, expectation, map_model
from configs.privileges import marks
from configs.section import Address, Ceiling, KeyName, Location, Reserved
from configs.settings import Settings

ANY_NAME = {"models": "ROLE"}
"""What stands for the names of sections that are alike, by the section that holds them; NAME elsewhere."""

PINNED = {
    "model": {"safe": "only models behind a remote address", "sovereign": "only models of this machine"},
    "reflect.use_shell": {"safe": "off"},
    "experience.enabled": {"safe": "off"},
    "traces.enabled": {"safe": "off"},
    "models.default.base_url": {"safe": "a remote address", "sovereign": "an address of this machine"},
    "models.ROLE.base_url": {"safe": "a remote address", "sovereign": "an address of this machine"},
    "models.default.base_urls": {"safe": "remote addresses", "sovereign": "addresses of this machine"},
    "models.ROLE.base_urls": {"safe": "remote addresses", "sovereign": "addresses of this machine"},
    "embeddings.base_url": {"sovereign": "an address of this machine"},
    "tools.sandbox": {"safe": "no tool runs"},
    "tools.approval": {"safe": "no tool runs"},
    "mcp.servers": {"safe": "no tool runs"},
    "mcp.servers.NAME.url": {"sovereign": "never asked"},
    "mcp.servers.NAME.local": {"sovereign": "needs true"},
    "checkpoints.path": {"sovereign": "a file, or a server of this machine"},
    "checkpoints.url_env": {"sovereign": "a server of this machine"},
    "research.search.web": {"sovereign": "refused"},
    "research.search.mcp.NAME.url": {"sovereign": "never asked"},
    "research.search.mcp.NAME.local": {"sovereign": "needs true"},
}
"""Settings a profile decides about, whatever they say: key, profile, what holds there."""


@dataclass(frozen=True)
class Row:
    """A setting.

    Attributes:
        key: as `configs.keys.dotted` writes it, with ROLE or NAME for names that are the reader's choice.
        keys: the same of every section the row holds for.
        variable: its variable; empty where none can name it.
        takes: the values it takes, in words.
        default: as JSON; "required" where an entry must give it.
        meaning: what it does.
        project: what a project's own file may give, in words the page's preface explains.
        profiles: what holds for it, whatever it says, by profile.
    """

    key: str
    keys: tuple[str, ...]
    variable: str
    takes: str
    default: str
    meaning: str
    project: str
    profiles: dict[str, str]


@dataclass(frozen=True)
class Group:
    """A section, or several that are alike; `title` is empty for settings that stand in none."""

    title: str
    names: tuple[str, ...]
    about: str
    rows: tuple[Row, ...]


def groups() -> Iterator[Group]:
    """Every section with the settings it holds itself, in the schema's order."""
    yield from _section(("",), Settings, Settings.model_validate({}), ())


def _section(
    names: tuple[str, ...], model: type[BaseModel], values: BaseModel | None, shown: Key
) -> Iterator[Group]:
    """The group of a section, then those of the sections below it.

    Args:
        names: dotted keys of the section, or of the sections that are alike; "" is the top.
        model: its schema.
        values: its defaults; None for an entry of a map, whose fields give them.
        shown: its key with ROLE or NAME in it.
    """
    fields = model.model_fields
    held = {name: getattr(values, name) if values else _default(field) for name, field in fields.items()}
    plain = {name: value for name, value in held.items() if not isinstance(value, BaseModel)}
    rows = tuple(_row(names, (*shown, name), fields[name], value) for name, value in plain.items())
    yield Group(dotted(shown), names, _about(model), rows)
    for alike in _alike({name: value for name, value in held.items() if isinstance(value, BaseModel)}):
        first, below = alike[0], tuple(_join(one, name) for one in names for name in alike)
        word = first if len(alike) == 1 else ANY_NAME.get(dotted(shown), "NAME")
        yield from _section(below, type(held[first]), held[first], (*shown, word))
    for name in plain:
        entry = map_model(fields[name])
        if entry is not None:
            below = tuple(f"{_join(one, name)}.NAME" for one in names)
            yield from _section(below, entry, None, (*shown, name, "NAME"))


def _alike(sections: dict[str, BaseModel]) -> list[list[str]]:
    """Names of sections by equal schema and equal defaults."""
    found: list[list[str]] = []
    for name, value in sections.items():
        same = next(
            (one for one in found if type(sections[one[0]]) is type(value) and sections[one[0]] == value),
            None,
        )
        if same is None:
            found.append([name])
        else:
            same.append(name)
    return found


def _row(names: tuple[str, ...], shown: Key, field: FieldInfo, value: Any) -> Row:
    keys = tuple(_join(one, shown[-1]) for one in names)
    real = keys[0].split(".")
    return Row(
        key=dotted(shown),
        keys=keys,
        variable="" if "NAME" in real else PREFIX + "__".join(shown).upper(),
        takes="names of your choice, each a section" if map_model(field) else expectation(field),
        default="required" if value is PydanticUndefined else _shown(value),
        meaning=field.description or "",
        project=_project(tuple(real)),
        profiles=PINNED.get(dotted(shown), {}),
    )


def _default(field: FieldInfo) -> Any:
    return PydanticUndefined if field.is_required() else field.get_default(call_default_factory=True)


def _shown(value: Any) -> str:
    if value is None:
        return "unset"
    if isinstance(value, dict) and value:
        return f"{len(value)} shipped entries"
    return json.dumps(value, ensure_ascii=False)


def _about(model: type[BaseModel]) -> str:
    return cleandoc(model.__doc__ or "").partition("\n\nAttributes:")[0]


def _join(section: str, name: str) -> str:
    return f"{section}.{name}" if section else name


def _project(key: Key) -> str:
    """What a project's file may give, by the marks that `configs/privileges.py` goes by."""
    if key == ("profile",):
        return "no further than yours"
    for mark in marks(key):
        if isinstance(mark, Reserved):
            return "where yours is unset" if mark.where_unset else "no"
        if isinstance(mark, Ceiling):
            order = ", ".join(json.dumps(value).strip('"') for value in mark.order)
            return (
                f"no higher than yours: {order}"
                if len(mark.order) > 1
                else f"yours, or any if yours is {order}"
            )
        for kind, told in _TOLD.items():
            if isinstance(mark, kind):
                return told
    return "yes"


_TOLD = {Address: "servers you know", KeyName: "no key to its servers", Location: "below the root"}
