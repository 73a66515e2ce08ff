"""What a project's own settings may not say.

A repository from elsewhere brings its settings along. They must not run a program, make changes unasked,
weaken the sandbox, or send anything where the user's own file, variables and flags do not send it. The
schema's marks (`configs/section.py`) say which setting is of which kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic.fields import FieldInfo

from configs.addresses import is_loopback, server_of
from configs.errors import SettingsError
from configs.keys import Key, dotted, place_at
from configs.layers import Setting
from configs.redaction import found
from configs.section import Address, Ceiling, KeyName, Location, Reserved
from configs.sources import MOST_KEYS, Sources


def privileges_taken(sources: Sources) -> dict[Key, SettingsError]:
    """Each setting that only the project gives and may not, and why.

    Raises:
        SettingsError: a value that decides on it is one that the schema refuses.
    """
    refused = {}
    for key, said in sources.from_project.items():
        reasons = (
            reason
            for mark in marks(key)
            for kind, rule in _RULES.items()
            if isinstance(mark, kind)
            for reason in rule(mark, key, sources)
        )
        if reason := next(reasons, ""):
            refused[key] = _refusal(key, said, reason)
    return refused | _profile_raised(sources) | _keys_sent(sources, refused)


@lru_cache(MOST_KEYS)
def marks(key: Key) -> tuple[object, ...]:
    """The marks of a setting and of the map it stands in."""
    places = [place_at(key[:end]) for end in range(1, len(key) + 1)]
    return tuple(mark for place in places if isinstance(place, FieldInfo) for mark in place.metadata)


def _reserved(mark: Reserved, key: Key, sources: Sources) -> Iterator[str]:
    value, users = sources.value(key), sources.users_value(key)
    if value != users and not (mark.where_unset and users is None):
        yield f"which only your own settings may say: {mark.why}"


def _above(mark: Ceiling, key: Key, sources: Sources) -> Iterator[str]:
    most = sources.users_value(key)
    if not mark.admits(sources.value(key), most):
        yield f"where your own settings allow no more than {found(key[-1], most)}"


def _elsewhere(mark: Address, key: Key, sources: Sources) -> Iterator[str]:
    value = sources.value(key)
    if value is None:
        if sources.users_value(key) is not None:
            yield "where your own settings name a server"
    elif any(
        not is_loopback(one) and server_of(one) not in _named_servers(mark, sources) for one in _texts(value)
    ):
        yield (
            "a server that is not on this machine and that only the project names; "
            f"`{key[-1]}: {found('', value).removeprefix('the text ')}` under `{dotted(key[:-1])}` "
            "in your own settings would allow it"
        )


def _named_servers(mark: Address, sources: Sources) -> set[object]:
    """The servers that the user's own sources name for the same purpose."""
    named = [
        server_of(address)
        for layer in sources.own
        for key, said in layer.items()
        if mark in marks(key)
        for address in _texts(said.value)
    ]
    return {server for server in named if server is not None}


def _texts(value: Any) -> list[str]:
    """One address or several, as a list."""
    return [one for one in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(one, str)]


def _database(mark: Location, key: Key, sources: Sources) -> Iterator[str]:
    value = sources.value(key)
    if mark.servers and str(value).startswith(mark.servers) and value != sources.users_value(key):
        yield "a server, which only your own settings may name: your threads would be kept there"


_RULES: Mapping[type[Any], Callable[[Any, Key, Sources], Iterator[str]]] = {
    Reserved: _reserved,
    Ceiling: _above,
    Address: _elsewhere,
    Location: _database,
}


def _profile_raised(sources: Sources) -> dict[Key, SettingsError]:
    """A profile that the project chooses allows no tool, model or memory that the user's own choice does not.

    `full` tools are those of `read_write` (`tools/toolbox.py`), and how much is reflected is no privilege, so
    a project may choose any profile where the user chose `dev` or none.
    """
    key: Key = ("profile",)
    said = sources.from_project.get(key)
    if said is None:
        return {}
    chosen, users = sources.value(key), sources.users_value(key)
    for name in ("tools", "models", "memory"):
        most = sources.users_value(("profiles", users, name))
        value = sources.value(("profiles", chosen, name))
        if name == "tools" and most == "read_write":
            most = "full"
        ceiling = next(mark for mark in marks(("profiles", users, name)) if isinstance(mark, Ceiling))
        if not ceiling.admits(value, most):
            reason = (
                f"whose `{name}` is {found(name, value)}, where `{users}`, "
                f"which holds without it, allows no more than {found(name, most)}"
            )
            return {key: _refusal(key, said, reason)}
    return {}


def _keys_sent(sources: Sources, refused: Mapping[Key, object]) -> dict[Key, SettingsError]:
    """What a variable holds goes to no address that the project alone names, whoever names the variable."""
    taken = sources.from_project
    variables = [key for key, said in sources.merged.items() if said.value is not None and _is(KeyName, key)]
    sent = {}
    for address in _addresses_of_project(sources):
        for variable in variables:
            if address not in refused and _meet(variable, address):
                key = variable if variable in taken else address
                reason = (
                    f"and what the variable of `{dotted(variable)}` holds would be sent to the server of "
                    f"`{dotted(address)}`, which only the project names"
                )
                sent[key] = _refusal(key, taken[key], reason)
    return sent


def _addresses_of_project(sources: Sources) -> Iterator[Key]:
    """The settings that hold the address of a server which only the project names."""
    for key, said in sources.from_project.items():
        for mark in marks(key):
            if isinstance(mark, Address) and said.value is not None:
                named = _named_servers(mark, sources)
                if any(server_of(address) not in named for address in _texts(said.value)):
                    yield key


def _is(kind: type[object], key: Key) -> bool:
    return any(isinstance(mark, kind) for mark in marks(key))


def _meet(variable: Key, address: Key) -> bool:
    """True if a role may take its key from the one section and its address from the other."""
    shared = {"default", "tuning"} & {variable[1], address[1]}
    return variable[0] == address[0] and (variable[:-1] == address[:-1] or bool(shared))


def _refusal(key: Key, said: Setting, reason: str) -> SettingsError:
    return SettingsError(f"{said.origin}: `{dotted(key)}` is {found(key[-1], said.value)}, {reason}.")
