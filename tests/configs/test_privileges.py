"""A project's file by itself runs no program, approves nothing, weakens and sends nothing; the user may."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from configs.addresses import is_loopback
from configs.errors import SettingsError
from configs.keys import dotted, known_keys, parse_key, place_at
from configs.layers import Setting, nest
from configs.privileges import marks
from configs.section import Address, Ceiling, KeyName, Reserved
from configs.settings import Settings
from tests.configs.places import Places

ANY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

LOCAL = ["http://127.0.0.1:8000/v1", "localhost:9"]
FOREIGN = ["http://gpu.example:1", "https://gpu.example/v1", "http://localhost@gpu.example", "gpu.example"]
ADDRESSES = st.sampled_from([*LOCAL, *FOREIGN, None])
FLEETS = st.none() | st.lists(st.sampled_from([*LOCAL, *FOREIGN]), max_size=3)
NAMES = st.sampled_from(["MY_KEY", "TEAM_KEY", None])
SECTIONS = ("default", "worker", "critic", "tuning[ollama:a]")
PROFILES = ("safe", "dev", "sovereign")
SERVER = {"command": ["python", "-m", "library"], "env": ["LANG"], "local": True}
VOUCHED = SERVER | {"read_only": ["search"]}
OTHERS = [{"command": ["sh", "-c", "id"]}, {"url": "http://127.0.0.1:9/mcp"}, SERVER | {"env": ["KEY"]}]

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "trust": st.just(False),
    "trusted_projects": st.just([]),
    "profile": st.sampled_from(PROFILES),
    "tools.approval": st.sampled_from(["ask", "yes", "dry_run"]),
    "tools.sandbox": st.sampled_from(["auto", "required", "bwrap", "landlock", "policy"]),
    "research.search.private_addresses": st.booleans(),
    "research.search.searxng_url": ADDRESSES,
    "research.search.mcp": st.sampled_from([{"library": one} for one in (SERVER, *OTHERS)]),
    "mcp.servers": st.sampled_from([{"library": one} for one in (SERVER, VOUCHED, *OTHERS)]),
    "embeddings.base_url": ADDRESSES,
    "checkpoints.path": st.sampled_from(["x.sqlite", "postgres://db.example/a", "postgresql://localhost/a"]),
    "checkpoints.url_env": NAMES,
    "checkpoints.encryption_key_env": NAMES,
    **{f"models.{section}.base_url": ADDRESSES for section in SECTIONS},
    **{f"models.{section}.base_urls": FLEETS for section in SECTIONS},
    **{f"models.{section}.api_key_env": NAMES for section in SECTIONS},
    **{f"profiles.{name}.tools": st.sampled_from(["none", "read_write", "full"]) for name in PROFILES},
    **{f"profiles.{name}.models": st.sampled_from(["cloud", "any", "local"]) for name in PROFILES},
    **{f"profiles.{name}.memory": st.booleans() for name in PROFILES},
}
SAID = st.dictionaries(st.sampled_from(sorted(VALUES)), st.none(), max_size=5).flatmap(
    lambda keys: st.fixed_dictionaries({key: VALUES[key] for key in keys})
)
VOUCHING = st.fixed_dictionaries({}, optional={"trust": st.just(True), "trusted_projects": st.just(["/"])})

# Written down anew, from least to most.
SANDBOXES = ("bwrap", "required", "landlock", "auto", "policy")
APPROVALS = ("dry_run", "ask", "yes")
TOOLS = ("none", "read_write", "full")
REACHED = {"cloud": {"away"}, "local": {"here"}, "any": {"away", "here"}}


def tree(flat: dict[str, Any]) -> dict[str, Any]:
    return nest({parse_key(key): Setting(value, "") for key, value in flat.items()})


def told(places: Places, **loading: Any) -> str:
    try:
        places.load(**loading)
    except SettingsError as error:
        return str(error)
    return ""


def value(loaded: Settings, key: str) -> Any:
    at: Any = loaded
    for name in parse_key(key):
        at = at.get(name) if isinstance(at, dict) else getattr(at, name, None)
    return at


def is_no_more_than(one: Settings, most: Settings) -> bool:
    """Whether settings allow nothing that others do not, addresses and variables aside."""
    tables = [(getattr(one.profiles, name), getattr(most.profiles, name)) for name in PROFILES]
    in_use = getattr(one.profiles, one.profile), getattr(most.profiles, most.profile)
    return (
        APPROVALS.index(one.tools.approval) <= APPROVALS.index(most.tools.approval)
        and SANDBOXES.index(one.tools.sandbox) <= SANDBOXES.index(most.tools.sandbox)
        and one.research.search.private_addresses <= most.research.search.private_addresses
        and one.research.search.mcp == most.research.search.mcp
        and one.mcp == most.mcp
        and (one.trust, one.trusted_projects) == (most.trust, most.trusted_projects)
        and all(TOOLS.index(a.tools) <= TOOLS.index(b.tools) for a, b in tables)
        and (in_use[0].tools == "none" or in_use[1].tools != "none")
        and all(REACHED[a.models] <= REACHED[b.models] and a.memory <= b.memory for a, b in (*tables, in_use))
    )


@ANY
@given(said=SAID, vouching=VOUCHING)
def test_a_project_by_itself_gets_nothing_it_may_not_have(
    places: Places, said: dict[str, Any], vouching: dict[str, Any]
) -> None:
    places.write_project(tree({**said, **vouching}))
    try:
        loaded = places.load().settings
    except SettingsError as error:
        assert "REFLECT_TRUST=1" in error.remedy and str(places.root) in error.remedy
        assert all(line.startswith(f"file {places.project_file}:") for line in error.what.splitlines())
        return
    assert not vouching and is_no_more_than(loaded, Settings.model_validate({}))
    assert loaded.tools.approval != "yes" and loaded.tools.sandbox != "policy"
    assert loaded.research.search.mcp == loaded.mcp.servers == {}
    assert loaded.checkpoints.url_env is None and "postgres" not in loaded.checkpoints.path
    addresses = [value(loaded, key) for key in VALUES if key.endswith("_url")]
    assert all(address is None or is_loopback(address) for address in addresses)
    assert not any(value(loaded, f"models.{key}.base_urls") for key in SECTIONS)
    sections = [key for key in SECTIONS if value(loaded, f"models.{key}.base_url")]
    keys = [key for key in SECTIONS if value(loaded, f"models.{key}.api_key_env")]
    assert {(key, section) for section in sections for key in keys} <= {
        ("worker", "critic"),
        ("critic", "worker"),
    }


@ANY
@given(user=SAID, project=SAID, source=st.sampled_from(["file", "flags"]))
def test_with_a_project_no_more_is_allowed_than_without(
    places: Places, user: dict[str, Any], project: dict[str, Any], source: str
) -> None:
    places.write_user(tree(user) if source == "file" else {})
    # A flag of None was not given.
    user = {key: said for key, said in user.items() if source == "file" or said is not None}
    flags = user if source == "flags" else {}
    places.write_project({})
    alone = places.load(flags).settings
    places.write_project(tree(project))
    try:
        loaded = places.load(flags).settings
    except SettingsError as error:
        assert "REFLECT_TRUST=1" in error.remedy
        assert all(line.startswith(f"file {places.project_file}:") for line in error.what.splitlines())
        return
    assert is_no_more_than(loaded, alone)
    if source == "flags":
        assert {key: value(loaded, key) for key in user} == {key: value(alone, key) for key in user}
    if user.get("checkpoints.encryption_key_env"):
        assert loaded.checkpoints.encryption_key_env == alone.checkpoints.encryption_key_env
    assert loaded.checkpoints.url_env == alone.checkpoints.url_env
    for key in SECTIONS:
        fleets = [value(one, f"models.{key}.base_urls") or () for one in (loaded, alone)]
        assert fleets[0] == fleets[1]
    said = [address for key, address in user.items() if key.endswith("_url")]
    said += [address for key, fleet in user.items() if key.endswith("_urls") for address in fleet or ()]
    named = {address and address.rpartition("//")[2] for address in said}
    for key in (key for key in VALUES if key.endswith("_url")):
        address = value(loaded, key)
        assert address is None or is_loopback(address) or address.rpartition("//")[2] in named, key


@ANY
@given(said=SAID)
def test_a_flag_for_whatever_the_project_says_leaves_nothing_to_refuse(
    places: Places, said: dict[str, Any]
) -> None:
    places.write_project(tree(said))
    places.load({key: given_value for key, given_value in said.items() if given_value is not None})
    assert told(places, flags={"trust": True}) == ""


@pytest.mark.parametrize(
    ("key", "taken"),
    [
        ("tools.approval", "ask"),
        ("tools.approval", "dry_run"),
        ("tools.sandbox", "auto"),
        ("tools.sandbox", "required"),
        ("tools.sandbox", "bwrap"),
        ("tools.sandbox", "landlock"),
        ("profile", "safe"),
        ("profile", "dev"),
        ("profile", "sovereign"),
        ("profiles.dev.tools", "none"),
        ("profiles.dev.models", "local"),
        ("profiles.dev.models", "cloud"),
        ("profiles.sovereign.memory", False),
        ("models.default.base_url", "http://localhost:8000/v1"),
        ("models.default.api_key_env", "TEAM_KEY"),
        ("embeddings.base_url", "[::1]:11434"),
        ("research.search.searxng_url", "http://127.0.0.1:8080"),
        ("checkpoints.encryption_key_env", "TEAM_KEY"),
        ("checkpoints.path", "threads.sqlite"),
    ],
)
def test_a_team_says_by_itself_what_raises_nothing(places: Places, key: str, taken: Any) -> None:
    places.write_project(tree({key: taken}))
    assert value(places.load().settings, key) == taken


@pytest.mark.parametrize(
    ("own", "project", "refused"),
    [
        ({"tools.approval": "dry_run"}, {"tools.approval": "ask"}, "tools.approval"),
        ({"tools.approval": "yes"}, {"tools.approval": "yes"}, ""),
        ({"tools.sandbox": "required"}, {"tools.sandbox": "auto"}, "tools.sandbox"),
        ({"tools.sandbox": "required"}, {"tools.sandbox": "landlock"}, "tools.sandbox"),
        ({"tools.sandbox": "landlock"}, {"tools.sandbox": "required"}, ""),
        ({"tools.sandbox": "policy"}, {"tools.sandbox": "policy"}, ""),
        ({"profile": "sovereign"}, {"profile": "safe"}, "profile"),
        ({"profile": "sovereign"}, {"profile": "dev"}, "profile"),
        ({"profile": "safe"}, {"profile": "dev"}, "profile"),
        ({"profile": "safe"}, {"profile": "sovereign"}, "profile"),
        ({"profiles.dev.tools": "none"}, {"profile": "sovereign"}, "profile"),
        ({"profiles.dev.models": "local"}, {"profile": "safe"}, "profile"),
        ({"profiles.dev.memory": False}, {"profile": "sovereign"}, "profile"),
        (
            {"profiles.dev.memory": False},
            {"profile": "sovereign", "profiles.sovereign.memory": False},
            "",
        ),
        ({}, {"profiles.safe.models": "local"}, "profiles.safe.models"),
        ({"profiles.safe.tools": "full"}, {"profiles.safe.tools": "read_write"}, ""),
        (
            {"checkpoints.encryption_key_env": "A"},
            {"checkpoints.encryption_key_env": None},
            "checkpoints.encryption_key_env",
        ),
        (
            {"models.default.base_url": "http://gpu:1"},
            {"models.default.base_url": None},
            "models.default.base_url",
        ),
        ({"models.default.base_url": "http://gpu:1"}, {"embeddings.base_url": "gpu:1/x"}, ""),
        (
            {"models.default.base_url": "http://gpu:1"},
            {"embeddings.base_url": "gpu:2"},
            "embeddings.base_url",
        ),
        (
            {"models.default.base_url": "http://gpu:1"},
            {"research.search.searxng_url": "http://gpu:1"},
            "research.search.searxng_url",
        ),
        (
            {"models.default.api_key_env": "A"},
            {"models.worker.base_url": "localhost:1"},
            "models.worker.base_url",
        ),
        ({"models.critic.api_key_env": "A"}, {"models.worker.base_url": "localhost:1"}, ""),
        ({"models.worker.base_url": "http://gpu:1"}, {"models.default.api_key_env": "A"}, ""),
        ({"models.default.base_urls": ["http://gpu:1", "b"]}, {"embeddings.base_url": "gpu:1/x"}, ""),
        ({"models.default.base_urls": ["http://gpu:1"]}, {"embeddings.base_url": "c"}, "embeddings.base_url"),
        (
            {"models.default.base_urls": ["http://gpu:1", "b"]},
            {"models.default.base_urls": ["b"]},
            "models.default.base_urls",
        ),
        ({"models.default.base_urls": ["b"]}, {"models.default.base_urls": None}, "models.default.base_urls"),
        ({"models.default.base_urls": ["b"]}, {"models.default.base_urls": ["b"]}, ""),
        ({}, {"models.worker.base_urls": ["localhost:1"]}, "models.worker.base_urls"),
        ({"models.worker.base_urls": ["http://gpu:1"]}, {"models.default.api_key_env": "A"}, ""),
        (
            {},
            {"models.default.base_url": "localhost:1", "models.tuning[openai:a].api_key_env": "A"},
            "models.tuning[openai:a].api_key_env",
        ),
    ],
)
def test_what_the_users_own_file_says_is_the_measure(
    places: Places, own: dict[str, Any], project: dict[str, Any], refused: str
) -> None:
    places.write_user(tree(own))
    places.write_project(tree(project))
    message = told(places)
    assert (f"`{refused}` is " in message) if refused else message == ""


@pytest.mark.parametrize("field", ["command", "env", "local", "tool", "query", "fetch", "url"])
def test_a_server_is_the_users_in_every_field_or_refused(places: Places, field: str) -> None:
    def written(server: dict[str, Any]) -> dict[str, Any]:
        return {"research": {"search": {"mcp": {"library": server}}}}

    places.write_project(written(SERVER))
    assert "research.search.mcp.library.command" in told(places)
    places.write_user(written(SERVER))
    assert list(places.load().settings.research.search.mcp["library"].command) == SERVER["command"]
    others = {"command": ["sh"], "env": [], "local": False, "tool": "run", "query": "q", "fetch": "get"}
    by_address = {"url": "http://localhost", "command": [], "local": False}
    changed = SERVER | ({field: others[field]} if field in others else by_address)
    places.write_project(written(changed))
    assert f"research.search.mcp.library.{field}" in told(places)


TOOL_FIELDS: dict[str, Any] = {"command": ["sh"], "env": [], "local": False, "timeout": 9, "tools": ["get"]}


@pytest.mark.parametrize("field", [*TOOL_FIELDS, "read_only"])
def test_a_server_of_tools_is_the_users_in_every_field_or_refused(places: Places, field: str) -> None:
    def written(server: dict[str, Any]) -> dict[str, Any]:
        return {"mcp": {"servers": {"library": server}}}

    places.write_project(written(SERVER))
    assert "mcp.servers.library.command" in told(places)
    places.write_user(written(SERVER))
    assert list(places.load().settings.mcp.servers["library"].command) == SERVER["command"]
    places.write_project(written(SERVER | {field: (TOOL_FIELDS | {"read_only": ["get"]})[field]}))
    assert f"mcp.servers.library.{field}" in told(places)


def test_a_server_of_the_users_is_not_given_a_second_address(places: Places) -> None:
    places.write_user({"research": {"search": {"mcp": {"library": SERVER}}}})
    places.write_project({"research": {"search": {"mcp": {"library": {"url": "http://localhost"}}}}})
    message = told(places)
    assert message.startswith(f"file {places.project_file}:5: `research.search.mcp.library.url` is ")


def test_the_line_that_would_allow_an_address_is_told_without_its_password(places: Places) -> None:
    places.write_project({"models": {"default": {"base_url": "http://me:hunter2@gpu.example/v1"}}})
    message = told(places)
    assert '`base_url: "http://[hidden]@gpu.example/v1"` under `models.default`' in message
    assert "hunter2" not in message


def test_everything_refused_is_told_at_once(places: Places) -> None:
    over = {"tools.approval": "yes", "traces.path": "/x", "checkpoints.url_env": "A"}
    places.write_project(tree(over))
    message = told(places)
    assert all(f"`{key}`" in message for key in over)


def test_a_wrong_value_of_the_users_that_is_compared_with_is_told(places: Places) -> None:
    places.write_user({"tools": {"approval": "always"}})
    places.write_project({"tools": {"approval": "ask"}})
    assert f"file {places.user_file}:2: `tools.approval` is " in told(places)


def test_every_setting_that_names_a_server_or_a_variable_is_marked() -> None:
    inner = [("models", "tuning", "a"), ("research", "search", "mcp", "a"), ("mcp", "servers", "a")]
    keys = [*known_keys(), *((*key, name) for key in inner for name in place_at(key).model_fields)]  # type: ignore[union-attr]  # both are sections
    naming = [key for key in keys if key[-1].endswith(("_env", "url", "urls", "env", "command"))]
    naming = [key for key in naming if isinstance(place_at(key), FieldInfo)]
    assert len(naming) >= 3 * 9 + 12
    kinds = (Address, KeyName, Reserved)
    assert [dotted(key) for key in naming if not any(isinstance(mark, kinds) for mark in marks(key))] == []


def test_every_ceiling_orders_values_its_setting_takes() -> None:
    found = 0
    for key in known_keys():
        for mark in marks(key) if isinstance(place_at(key), FieldInfo) else ():
            if isinstance(mark, Ceiling):
                found += 1
                schema = Settings.model_validate(tree({dotted(key): mark.order[-1]} | complete(key)))
                assert value(schema, dotted(key)) == mark.order[-1]
                assert all(mark.admits(one, mark.order[-1]) for one in mark.order)
                assert not any(mark.admits(mark.order[-1], one) for one in mark.order[:-1])
    assert found == 3 + 3 * 4


def complete(key: tuple[str, ...]) -> dict[str, Any]:
    """The other fields of a profile, which has no defaults of its own."""
    if key[0] != "profiles":
        return {}
    table = getattr(Settings.model_validate({}).profiles, key[1]).model_dump()
    return {f"profiles.{key[1]}.{name}": given_value for name, given_value in table.items() if name != key[2]}
