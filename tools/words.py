"""The characters of a command into words, quotes and pipes, as bash reads them; all else is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tools.globs import Sign
from tools.policy.vectors import refuse

# What an unquoted character would make a shell do, and what to do instead.
OPERATORS = {
    ";": ("there is one pipeline at a time", "Use a step of its own for the second command."),
    "&": ("nothing runs in the background or on condition", "Use a step of its own for the second command."),
    ">": ("nothing is written", "Leave the redirection out; the output is kept."),
    "<": (
        "only the first tool reads a file, one, by name",
        "Name the file as an argument, or start with cat FILE |.",
    ),
    "(": ("there are no subshells", "Quote the parenthesis if a tool should see it."),
    ")": ("there are no subshells", "Quote the parenthesis if a tool should see it."),
    "`": ("nothing is substituted", "Use a step of its own and refer to its result."),
    "$": (
        "there are no variables and no substitution",
        "Write the value itself, from a step of its own if need be, or quote the sign with ' '.",
    ),
    "{": ("braces are not expanded", "Write each word out, e.g. a.py a.md, or quote them."),
    "}": ("braces are not expanded", "Write each word out, e.g. a.py a.md, or quote them."),
    "\n": ("there is one pipeline at a time", "Use a step of its own for each line."),
    "#": ("there are no comments", "Leave it out, or quote the sign."),
    "~": ("home directories are outside the root", "Use a path below the root."),
    "!": ("there is no history and no negation of commands", "Quote the sign if a tool should see it."),
}
# Only at the start of a word do these mean anything to a shell.
AT_START = frozenset("#~")
# What bash leaves as it is: a pair without a comma or a range, as in xargs -I{} or HEAD@{1}.
LITERAL_BRACES = re.compile(r"\{(?!\w*\.\.)[\w^:/-]*(?:\.[\w^:/-]+)*\}")
# The escapes of $'...' that say the same in every shell.
ANSI_C = {"t": "\t", "n": "\n", "\\": "\\", "'": "'", '"': '"'}


@dataclass
class Word:
    """A word: its characters and which of them were quoted."""

    signs: list[Sign] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The word without its quotes."""
        return "".join(character for character, _ in self.signs)

    def add(self, character: str, *, quoted: bool) -> None:
        """Append one character."""
        self.signs.append((character, quoted))


class Scanner:
    """One pass over the characters; each method consumes what its name says."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.word: Word | None = None
        self.stages: list[list[Word]] = [[]]
        self.input: Word | None = None
        self._awaits_input = False

    def scan(self) -> list[list[Word]]:
        """The words of each stage; `input` is the file the first one reads, if any.

        Raises:
            CommandRefused: names the character and what to do instead.
        """
        readers = {
            " ": self._blank,
            "\t": self._blank,
            "'": self._single_quoted,
            '"': self._double_quoted,
            "\\": self._escaped,
            "|": self._pipe,
            "$": self._dollar,
            "{": self._brace,
            "<": self._redirection,
        }
        while self.at < len(self.text):
            character = self.text[self.at]
            if self.word is None and self._skips_stderr():
                continue
            readers.get(character, self._plain)()
        self._end_word()
        if self._awaits_input:
            raise refuse("<", "the file it reads is missing", "Name the file as an argument.")
        return self.stages

    def _current(self) -> Word:
        if self.word is None:
            self.word = Word()
        return self.word

    def _end_word(self) -> None:
        if self.word is not None and self._awaits_input:
            self.input, self._awaits_input = self.word, False
        elif self.word is not None:
            self.stages[-1].append(self.word)
        self.word = None

    def _blank(self) -> None:
        self._end_word()
        self.at += 1

    def _brace(self) -> None:
        pair = LITERAL_BRACES.match(self.text, self.at)
        if pair is None:
            self._plain()
            return
        for character in pair.group():
            self._current().add(character, quoted=False)
        self.at = pair.end()

    def _redirection(self) -> None:
        """`< FILE` of the first stage; the file is read by cat, under the same policy as any operand."""
        after = self.text[self.at + 1 : self.at + 2]
        given = self.input is not None or self._awaits_input
        if given or self.word is not None or after in ("<", ">", "&", "(") or len(self.stages) > 1:
            raise refuse("<", *OPERATORS["<"])
        self._awaits_input = True
        self.at += 1

    def _dollar(self) -> None:
        """`$'...'` with plain escapes, or a sign that stands for itself because nothing follows."""
        if not self.text.startswith("$'", self.at):
            if self.text[self.at + 1 : self.at + 2] not in ("", " ", "\t", "|"):
                raise refuse("$", *OPERATORS["$"])
            self._current().add("$", quoted=False)
            self.at += 1
            return
        found = re.compile(r"\$'((?:[^'\\]|\\[tn\\'\"])*)'").match(self.text, self.at)
        if found is None:
            raise refuse(
                "$'", "only \\t, \\n, \\\\ and quotes may follow a backslash in it", "Use ' ' instead."
            )
        word = self._current()
        for part in re.findall(r"\\?.", found.group(1), re.DOTALL):
            word.add(ANSI_C[part[1]] if len(part) > 1 else part, quoted=True)
        self.at = found.end()

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
        if self._awaits_input:
            raise refuse("<", "the file it reads is missing", "Name the file as an argument.")
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

    def _plain(self) -> None:
        character = self.text[self.at]
        if character in OPERATORS and (character not in AT_START or self.word is None):
            alone = character in "!{}" and self._stands_alone()
            if self.text.startswith("2>&1", self.at - 1):
                raise refuse(
                    "2>&1", "diagnostics are kept apart from the output", "Leave it out; both are told."
                )
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
