"""B03: one value of a configuration is not what its schema allows; others only look wrong."""

from __future__ import annotations

import random
from collections.abc import Mapping

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.schema_fields import KINDS, Field
from nodes.tutor.games.settings_text import settings_text
from nodes.tutor.games.vocabulary import SERVICES, names, note, text_of

Fields = Mapping[str, Mapping[str, Field]]
GOAL = """The program refuses `{config}`: one value in it is not what `{schema}` allows. `type`, `enum`, \
`min` and `max` are meant as written, bounds are allowed themselves, and capital letters matter. The end \
of a key (_ms, _s) is the unit of its value, `unit` in the schema is the unit of its bounds. Other \
configurations do not count.
Answer with two claims: value_of, subject = the key (section.key), value = the value that is wrong, \
scope = `{config}`; and value_of, subject = the rule it breaks (section.key.rule, such as \
section.key.max), value = what that rule says, scope = `{schema}`."""


def schema_mismatch(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    fields = _fields(rng)
    place, other = names(rng, 2)
    stem, suffix = rng.choice(SERVICES), rng.choice((".json", ".yaml", ".toml"))
    config, schema = f"{place}/{stem}{suffix}", f"{rng.choice((place, other))}/{stem}.schema.json"
    section, key = rng.choice([(section, key) for section in fields for key in fields[section]])
    wrong = fields[section][key]
    files = {
        schema: _schema_text(fields),
        config: settings_text(_values(fields, {(section, key)}), suffix),
        f"{place}/README.md": text_of(note(rng, 3, 8)),
    }
    for name in rng.sample(("staging", "example", "local", "old", "test"), rng.randint(1, 3)):
        files[f"{rng.choice((place, other))}/{stem}.{name}{suffix}"] = _copy(rng, fields, suffix)
    if rng.random() < 0.6:
        files[f"{other}/old/{stem}.schema.json"] = _schema_text(_redrawn(rng, fields))

    draft = Draft("B03", seed, "formal")
    rules = draft.look("cat", path=schema)
    values = draft.look("cat", path=config)
    draft.want(
        Claim(predicate="value_of", subject=f"{section}.{key}", value=wrong.bad, scope=config),
        values,
        find=("subject", "value"),
        wanted="the key and the value that is not allowed",
    )
    broken = f"{section}.{key}.{wrong.broken}"
    draft.want(
        Claim(predicate="value_of", subject=broken, value=wrong.rule[wrong.broken], scope=schema),
        rules,
        find=("subject", "value"),
        wanted="the rule of the schema it breaks, and what that rule says",
    )
    return draft.game(
        "Configuration error behind a schema mismatch", GOAL.format(config=config, schema=schema), files
    )


def _fields(rng: random.Random) -> dict[str, dict[str, Field]]:
    """Three or four sections, and every kind of field at least once."""
    kinds = [*KINDS, *(rng.choice(tuple(KINDS)) for _ in range(rng.randint(6, 9)))]
    rng.shuffle(kinds)
    fields: dict[str, dict[str, Field]] = {section: {} for section in names(rng, rng.randint(3, 4))}
    for at, kind in enumerate(kinds):
        keys, make = KINDS[kind]
        section = fields[list(fields)[at % len(fields)]]
        section[rng.choice(keys)] = make(rng)
    return fields


def _redrawn(rng: random.Random, fields: Fields) -> dict[str, dict[str, Field]]:
    """The same keys under other rules, as another version of the schema has them."""
    make = {key: made for keys, made in KINDS.values() for key in keys}
    return {section: {key: make[key](rng) for key in keys} for section, keys in fields.items()}


def _values(fields: Fields, wrong: set[tuple[str, str]]) -> dict[str, dict[str, object]]:
    return {
        section: {key: field.bad if (section, key) in wrong else field.good for key, field in keys.items()}
        for section, keys in fields.items()
    }


def _copy(rng: random.Random, fields: Fields, suffix: str) -> str:
    """A configuration that is not asked about, with mistakes of its own."""
    keys = [(section, key) for section in fields for key in fields[section]]
    return settings_text(_values(fields, set(rng.sample(keys, rng.randint(1, 3)))), suffix)


def _schema_text(fields: Fields) -> str:
    return settings_text(
        {section: {key: dict(field.rule) for key, field in keys.items()} for section, keys in fields.items()},
        ".json",
    )
