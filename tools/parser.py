"""Command strings as models write them, into stages. What is not understood is refused, and said why.

The reading is bash's for words, quotes and pipes; everything else a shell could do has no place here.
"""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path

from tools.arguments import Stage
from tools.policy.paths import is_safe
from tools.policy.vectors import refuse

GLOB_SIGNS = frozenset("*?[")
# What an unquoted character would make a shell do, and what to do instead.
OPERATORS = {
    ";": ("there is one pipeline at a time", "Use a step of its own for the second command."),
    "&": ("nothing runs in the background or on condition", "Use a step of its own for the second command."),
    ">": ("nothing is written", "Leave the redirection out; the output is kept."),
    "<": ("input is not redirected", "Name the file as an argument, or start with cat FILE |."),
    "(": ("there are no subshells", "Quote the parenthesis if a tool should see it."),
    ")": ("there are no subshells", "Quote the parenthesis if a tool should see it."),
    "`": ("nothing is substituted", "Use a step of its own and refer to its result."),
    "$": (
        "there are no variables and no substitution",
        "Write the value itself, or quote the sign with ' '.",
    ),
    "{": ("braces are not expanded", "Write the words out, or quote them."),
    "}": ("braces are not expanded", "Write the words out, or quote them."),
    "\n": ("there is one pipeline at a time", "Use a step of its own for each line."),
    "#": ("there are no comments", "Leave it out, or quote the sign."),
    "~": ("home directories are outside the root", "Use a path below the root."),
    "!": ("there is no history and no negation of commands", "Quote the sign if a tool should see it."),
}
# Only at the start of a word do these mean anything to a shell.
AT_START = frozenset("#~")
# Tests of find whose value is a pattern: a shell would expand it if it could, which nobody means.
PATTERN_TESTS = frozenset(
    {"-name", "-iname", "-path", "-ipath", "-wholename", "-lname", "-regex", "--include", "--exclude"}
)
MAX_GLOB = 2000


@dataclass
class _Word:
    """A word and which of its characters were unquoted glob signs."""

    text: str = ""
    pattern: str = ""
    has_glob: bool = False

    def add(self, character: str, *, quoted: bool) -> None:
        self.text += character
        if character in GLOB_SIGNS and not quoted:
            self.has_glob = True
            self.pattern += character
        else:
            self.pattern += glob.escape(character)


def parse_command(command: str, root: Path) -> list[Stage]:
    """The stages of a command string; options and paths are checked later, by the policy.

    Args:
        command: one pipeline, as typed.
        root: where unquoted globs are expanded.

    Raises:
        CommandRefused: the string holds something that is no word, quote or pipe.
    """
    text = command.strip()
    if "\0" in text:
        raise refuse("NUL", "a command holds no NUL byte", "Leave it out.")
    stages: list[Stage] = []
    for words in _split(text):
        expanded = _expand(words, root)
        if not expanded:
            raise refuse("|", "a stage is empty", "Write a tool on both sides of every pipe.")
        stages.append(_stage(expanded, first=not stages))
    return stages


def _split(text: str) -> list[list[_Word]]:
    return _Scanner(text).scan()


class _Scanner:
    """One pass over the characters; each method consumes what its name says."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.word: _Word | None = None
        self.stages: list[list[_Word]] = [[]]

    def scan(self) -> list[list[_Word]]:
        while self.at < len(self.text):
            character = self.text[self.at]
            if character in " \t":
                self._end_word()
                self.at += 1
            elif character == "'":
                self._single_quoted()
            elif character == '"':
                self._double_quoted()
            elif character == "\\":
                self._escaped()
            elif character == "|":
                self._pipe()
            elif self.word is None and self._skips_stderr():
                continue
            else:
                self._plain(character)
        self._end_word()
        return self.stages

    def _current(self) -> _Word:
        if self.word is None:
            self.word = _Word()
        return self.word

    def _end_word(self) -> None:
        if self.word is not None:
            self.stages[-1].append(self.word)
            self.word = None

    def _single_quoted(self) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise refuse("'", "the quotation is not closed", "Close it.")
        word = self._current()
        for character in self.text[self.at + 1 : end]:
            word.add(character, quoted=True)
        self.at = end + 1

    def _double_quoted(self) -> None:
        word = self._current()
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            character = self.text[self.at]
            if character in "$`":
                # "$" before a quote or a space stands for itself, as in a regular expression's end.
                following = self.text[self.at + 1 : self.at + 2]
                if character == "`" or following not in ('"', " ", "|", ")", ""):
                    raise refuse(character, *OPERATORS[character])
            if self.text.startswith("\\\n", self.at):
                self.at += 2
                continue
            if character == "\\" and self.text[self.at + 1 : self.at + 2] in ("$", "`", '"', "\\"):
                self.at += 1
                character = self.text[self.at]
            word.add(character, quoted=True)
            self.at += 1
        if self.at >= len(self.text):
            raise refuse('"', "the quotation is not closed", "Close it.")
        self.at += 1

    def _escaped(self) -> None:
        if self.at + 1 >= len(self.text) or self.text[self.at + 1] == "\n":
            raise refuse("\\", "it ends the command", "Leave it out.")
        self._current().add(self.text[self.at + 1], quoted=True)
        self.at += 2

    def _pipe(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if following in ("|", "&"):
            raise refuse(
                f"|{following}", "there is one pipeline at a time", "Use a plain | or a step of its own."
            )
        self._end_word()
        self.stages.append([])
        self.at += 1

    def _skips_stderr(self) -> bool:
        """`2>/dev/null` means nothing here: diagnostics are kept apart from the output anyway."""
        for spelling in ("2>/dev/null", "2> /dev/null"):
            rest = self.text[self.at + len(spelling) :][:1]
            if self.text.startswith(spelling, self.at) and rest in ("", " ", "\t", "|"):
                self.at += len(spelling)
                return True
        return False

    def _plain(self, character: str) -> None:
        if character in OPERATORS and (character not in AT_START or self.word is None):
            alone = character in "!{}" and self._stands_alone()
            if not (character in "!{}" and (alone or character == "!")):
                raise refuse(character, *OPERATORS[character])
            if character == "{" or (character == "}" and not alone):
                raise refuse(character, *OPERATORS[character])
        if ord(character) < 32:
            raise refuse(repr(character), "it is a control character", "Leave it out.")
        self._current().add(character, quoted=False)
        self.at += 1

    def _stands_alone(self) -> bool:
        following = self.text[self.at + 1 : self.at + 2]
        return self.word is None and following in ("", " ", "\t")


def _expand(words: list[_Word], root: Path) -> list[str]:
    expanded: list[str] = []
    for word in words:
        if not word.has_glob or (expanded and expanded[-1] in PATTERN_TESTS) or word.text.startswith("-"):
            expanded.append(word.text)
            continue
        if word.text.startswith("/") or ".." in word.text.split("/"):
            raise refuse(
                word.text, "a pattern must stay below the root", "Start it at the root's own directories."
            )
        found = sorted(glob.glob(word.pattern, root_dir=root))
        if not all(is_safe(root, os.path.dirname(name.rstrip("/")) or ".") for name in found):
            raise refuse(word.text, "a pattern must stay below the root", "Name a directory of the root.")
        if len(found) > MAX_GLOB:
            raise refuse(word.text, f"it stands for more than {MAX_GLOB} names", "Use find with -name.")
        expanded += found or [word.text]
    return expanded


def _stage(words: list[str], *, first: bool) -> Stage:
    tool, *argv = words
    if "=" in tool:
        raise refuse(tool, "variables are not set", "Start with the tool.")
    if tool != "xargs":
        return Stage(tool=tool, argv=argv)
    if first:
        raise refuse("xargs", "nothing is piped into it", "Put find ... -print0 | in front.")
    return _xargs(argv)


def _xargs(argv: list[str]) -> Stage:
    null_separated = False
    while argv and argv[0].startswith("-"):
        option = argv.pop(0)
        if option in ("-0", "--null"):
            null_separated = True
        elif option in ("-0r", "-r0"):
            null_separated = True
        elif option not in ("-r", "--no-run-if-empty", "--"):
            raise refuse(
                f"xargs {option}", "only -0 and -r are understood", "Let the names be the last arguments."
            )
    if not argv:
        raise refuse("xargs", "it names no tool", "Name the tool that reads the files.")
    return Stage(tool=argv[0], argv=argv[1:], from_input=True, null_separated=null_separated)
