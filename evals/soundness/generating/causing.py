"""Claims about causes: a configuration line, the source line that reads it, and the error that was logged."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, NamedTuple

from evals.soundness.generating.configurations import written
from evals.soundness.generating.parts import Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import WORDS
from evals.soundness.tree import Tree
from evals.soundness.truth_of_causes import USES


class Fault(NamedTuple):
    """A way to fail: the expression on a value, in which `{}` stands for it, a bad value and a good one."""

    expression: str
    bad: Any
    good: Any


FAULTS = (
    Fault("int({})", "12x", "12"),
    Fault("int({})", "ten", 10),
    Fault("int({})", None, 3),
    Fault("float({})", "1,5", "1.5"),
    Fault("1000 / {}", 0, 4),
    Fault("{}.upper()", 5, "low"),
    Fault("{}.upper()", None, "low"),
    Fault('{}.split(",")', 3, "a,b"),
    Fault("len({})", 8, "abc"),
)
LOADERS = {
    "json": ("import json", "json.load"),
    "yaml": ("import yaml", "yaml.safe_load"),
}
PREFIXES = ("", "/app/")


class Scene(NamedTuple):
    """Files of a program that failed, and the places that matter in them."""

    files: dict[str, str]
    config: str
    source: str
    section: str
    key: str
    good_key: str
    log: str
    error_line: int


def _failing_message(fault: Fault) -> str:
    use = next(use for pattern, use in USES.items() if re.search(pattern, fault.expression))
    try:
        use(fault.bad)
    except (TypeError, ValueError, ZeroDivisionError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError(f"{fault} does not fail")


def _scene(dice: Random, fault: Fault) -> Scene:
    kind = dice.choice(sorted(LOADERS))
    config, section = f"config/app.{kind}", dice.choice(("limits", "server", "worker"))
    key, good_key, other = dice.sample(WORDS, 3)
    settings = {section: {good_key: fault.good, key: fault.bad, other: 7}, "name": "service"}
    fine = {section: {good_key: fault.good, key: fault.good, other: 7}, "name": "staging"}
    module, load = LOADERS[kind]
    use, good = (fault.expression.format(f'CONFIG["{section}"]["{name}"]') for name in (key, good_key))
    source = [
        module,
        "",
        f'CONFIG = {load}(open("{config}"))',
        "",
        "",
        f"def {good_key}_of():",
        f"    return {good}",
        "",
        "",
        f"def {key}_of():",
        f"    value = {use}",
        "    return value",
    ]
    prefix, log = dice.choice(PREFIXES), "logs/error.log"
    message = _failing_message(fault)
    lines = [
        f"2024-05-01T10:00:00Z INFO started with {key}",
        f"2024-05-01T10:00:01Z WARNING {good_key} looks odd",
        "2024-05-01T10:00:02Z ERROR request failed",
        "Traceback (most recent call last):",
        f'  File "{prefix}app/main.py", line 4, in <module>',
        "    run()",
        f'  File "{prefix}app/reader.py", line 11, in {key}_of',
        f"    value = {use}",
        message,
        "2024-05-01T10:00:03Z INFO retrying",
        f"2024-05-01T10:00:04Z ERROR gave up: {key} is not usable",
    ]
    files = {
        config: written(settings, kind),
        f"config/app.staging.{kind}": written(fine, kind),
        f"backup/app.{kind}": written(settings, kind),
        "app/reader.py": "\n".join(source) + "\n",
        "app/main.py": f"from app.reader import {key}_of\n\n\n{key}_of()\n",
        log: "\n".join(lines) + "\n",
    }
    return Scene(files, config, "app/reader.py", section, key, good_key, log, 9)


def _line_of(text: str, key: str) -> int:
    """Number of the line that sets a key."""
    return next(
        number
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip().strip('"').startswith((f'{key}"', f"{key}:"))
    )


def configured_cause(dice: Random) -> Made:
    """The configuration line behind the error at the end of a traceback."""
    fault = dice.choice(FAULTS)
    scene = _scene(dice, fault)
    config, log = scene.config, scene.log
    bad = _line_of(scene.files[config], scene.key)
    good = _line_of(scene.files[config], scene.good_key)
    backup = f"backup/{config.rpartition('/')[2]}"
    fields = claim("causes", f"{config}:{bad}", f"{log}:{scene.error_line}")
    every = cats(*scene.files)
    lies = [
        Lie("a good line", altered(fields, subject=f"{config}:{good}")),
        Lie("next line", altered(fields, subject=f"{config}:{bad + 1}")),
        Lie("line before", altered(fields, subject=f"{config}:{bad - 1}")),
        Lie("a copy that is not read", altered(fields, subject=f"{backup}:{bad}"), every),
        Lie(
            "a file that is not read",
            altered(fields, subject=f"{config.replace('app.', 'app.staging.')}:{bad}"),
            every,
        ),
        Lie("an error logged later", altered(fields, value=f"{log}:11")),
        Lie("a warning", altered(fields, value=f"{log}:2")),
        Lie("a frame of the traceback", altered(fields, value=f"{log}:7")),
        Lie("the source line", altered(fields, subject=f"{scene.source}:11")),
        Lie("the other way round", altered(fields, subject=fields["value"], value=fields["subject"])),
    ]
    weak = {
        "without the source": cats(config, log),
        "without the log": cats(config, scene.source),
        "without the configuration": cats(scene.source, log),
        "the line alone": [*cats(scene.source, log), call("grep", pattern=scene.key, path=backup)],
    }
    return Made(Tree(scene.files), fields, {"cat": cats(config, scene.source, log)}, lies, weak)


def healed_value(dice: Random) -> Made:
    """The same error, where the line that is blamed holds a value that does not fail."""
    fault = dice.choice(FAULTS)
    scene = _scene(dice, fault)
    bad = _line_of(scene.files[scene.config], scene.key)
    blamed = claim("causes", f"{scene.config}:{bad}", f"{scene.log}:{scene.error_line}")
    lies = [Lie("a value that does not fail", blamed, cats(scene.config, scene.source, scene.log))]
    true = claim("contains", scene.log, "Traceback")
    return Made(Tree(_healed(scene, fault)), true, {"cat": cats(scene.log)}, lies)


def _healed(scene: Scene, fault: Fault) -> dict[str, str]:
    """The same files with a value that does not fail."""
    text = scene.files[scene.config]
    bad, good = json.dumps(fault.bad), json.dumps(fault.good)
    lines = text.split("\n")
    at = _line_of(text, scene.key) - 1
    lines[at] = lines[at].replace(bad, good)
    return {**scene.files, scene.config: "\n".join(lines)}
