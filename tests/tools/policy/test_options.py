from __future__ import annotations

import subprocess

import pytest

from tools.errors import CommandRefused
from tools.policy.options import ALLOWED, INSTEAD
from tools.policy.vectors import normalise
from tools.process import program

# Options that write, run a program, read names or patterns from another file, wait, or follow links out.
HARMFUL = {
    "sort": "-o --output -T --temporary-directory --compress-program --files0-from --random-source -S "
    "--parallel --batch-size",
    "grep": "-f --file --exclude-from -D --devices",
    "tail": "-f -F --follow --retry --pid --sleep-interval -s",
    "du": "-L --dereference -D -l -X --exclude-from --files0-from",
    "file": "-f --files-from -m --magic-file -C --compile -L --dereference -z --uncompress -Z "
    "-p --preserve-date",
    "diff": "-l --paginate -X --exclude-from -S --starting-file --from-file --to-file -D --ifdef -F "
    "--GTYPE-group-format",
    "ls": "-L --dereference -H --dereference-command-line --dereference-command-line-symlink-to-dir",
    "stat": "-L --dereference --cached",
    "wc": "--files0-from=list",
    "sha256sum": "-c --check",
    "md5sum": "-c --check",
    "sha1sum": "-c --check",
    "date": "-s --set -f --file -r --reference --resolution",
    "uname": "-n -a --nodename --all",
    "readlink": "-f -e -m --canonicalize --canonicalize-missing --canonicalize-existing",
    "df": "-a --all --output -l --local --sync",
    "od": "-S --strings --traditional",
}
CASES = [(tool, option) for tool, options in HARMFUL.items() for option in options.split()]


@pytest.mark.parametrize(("tool", "option"), CASES, ids=lambda value: value)
def test_harmful_options_are_refused_joined_valued_and_shortened(tool: str, option: str) -> None:
    for argv in (
        [option],
        [option, "x"],
        [f"{option}x"],
        [f"{option}=x"],
        ["x", option],
        [f"-b{option[1:]}"],
    ):
        with pytest.raises(CommandRefused):
            normalise(tool, argv, ALLOWED[tool])
    name, _, value = option.removeprefix("--").partition("=")
    for length in range(1, len(name)) if option.startswith("--") else ():
        try:
            options, _ = normalise(tool, [f"--{name[:length]}", *([value] if value else [])], ALLOWED[tool])
        except CommandRefused:
            continue
        # The shortened form may mean a listed option: then that one is written out in full.
        (written,) = (word.partition("=")[0].removeprefix("--") for word in options)
        assert written != name and written in {**ALLOWED[tool].long, **ALLOWED[tool].optional}


def test_uniq_takes_one_operand_because_a_second_is_written_to() -> None:
    assert normalise("uniq", ["in"], ALLOWED["uniq"]) == ([], ["in"])
    with pytest.raises(CommandRefused, match="written to"):
        normalise("uniq", ["in", "out"], ALLOWED["uniq"])


def help_of(tool: str) -> str:
    done = subprocess.run(
        [program(tool), "--help"],
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
        env={"LC_ALL": "C"},
    )
    return done.stdout


@pytest.mark.parametrize("tool", sorted(ALLOWED))
def test_every_listed_long_option_is_one_of_the_tool(tool: str) -> None:
    text = help_of(tool)
    if "GNU" not in text and tool != "file":
        pytest.skip(f"{tool} of this system is not GNU's")
    missing = [name for name in (*ALLOWED[tool].long, *ALLOWED[tool].optional) if f"--{name}" not in text]
    assert missing == []


def test_the_tools_a_model_may_wish_for_are_not_the_ones_it_has() -> None:
    assert not set(INSTEAD) & set(ALLOWED)
    assert all(sentence.endswith(".") for sentence in INSTEAD.values())
