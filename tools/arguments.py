"""Typed arguments of the Unix tools, and how each becomes an argument vector.

Every vector passes `policy/` before it runs, so a model field is a convenience, never a permission.
Paths are relative to the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Texts = Annotated[list[str], BeforeValidator(_as_list)]
Natural = Annotated[int, Field(ge=0, le=1_000_000_000)]


class Arguments(BaseModel):
    """Arguments of one tool; unknown ones are mistakes.

    `flags` maps boolean fields to options, `options` maps valued fields to options.
    """

    model_config = ConfigDict(extra="forbid")
    flags: ClassVar[dict[str, str]] = {}
    options: ClassVar[dict[str, str]] = {}

    def operands(self) -> Sequence[str]:
        """What follows `--`."""
        return ()

    def argv(self) -> list[str]:
        """Options, then `--` and the operands."""
        words = [option for name, option in self.flags.items() if getattr(self, name)]
        for name, option in self.options.items():
            value = getattr(self, name)
            if value is not None:
                words += [f"{option}={value}"] if option.startswith("--") else [option, str(value)]
        operands = list(self.operands())
        return [*words, "--", *operands] if operands else words


class OnPaths(Arguments):
    """Arguments of a tool that reads files: `path` or `paths`."""

    path: Texts | None = None
    paths: Texts | None = None

    def operands(self) -> Sequence[str]:
        """The paths, in order."""
        return [*(self.path or []), *(self.paths or [])]


class Cat(OnPaths):
    """Print files."""

    number: bool = False
    flags = {"number": "-n"}


class Head(OnPaths):
    """Print the first lines."""

    lines: Natural = 10
    options = {"lines": "-n"}


class Tail(OnPaths):
    """Print the last lines, or all from a line on."""

    lines: Natural = 10
    from_line: Natural | None = None

    def argv(self) -> list[str]:
        """`-n +N` when `from_line` is given."""
        count = f"+{self.from_line}" if self.from_line is not None else str(self.lines)
        operands = list(self.operands())
        return ["-n", count, *(["--", *operands] if operands else [])]


class Grep(OnPaths):
    """Search text."""

    pattern: str = Field(max_length=4000)
    or_patterns: Texts = Field(default_factory=list)
    recursive: bool = False
    count: bool = False
    ignore_case: bool = False
    fixed: bool = False
    extended: bool = False
    word: bool = False
    line_number: bool = False
    invert: bool = False
    files_with_matches: bool = False
    files_without_match: bool = False
    only_matching: bool = False
    with_filename: bool = False
    no_filename: bool = False
    skip_binary: bool = False
    null_names: bool = False
    max_count: Natural | None = None
    after_context: Natural | None = None
    include: Texts = Field(default_factory=list)
    exclude_dirs: Texts = Field(default_factory=list)
    flags = {
        "recursive": "-r", "count": "-c", "ignore_case": "-i", "fixed": "-F", "extended": "-E", "word": "-w",
        "line_number": "-n", "invert": "-v", "files_with_matches": "-l", "files_without_match": "-L",
        "only_matching": "-o", "with_filename": "-H", "no_filename": "-h", "skip_binary": "-I",
        "null_names": "-Z",
    }  # fmt: skip
    options = {"max_count": "-m", "after_context": "-A"}

    def argv(self) -> list[str]:
        """Each pattern goes through `-e`, so it may begin with a dash; matching any of them will do."""
        words = super().argv()
        split = words.index("--") if "--" in words else len(words)
        globs = [f"--include={glob}" for glob in self.include]
        globs += [f"--exclude-dir={name}" for name in self.exclude_dirs]
        patterns = [word for pattern in (self.pattern, *self.or_patterns) for word in ("-e", pattern)]
        return [*words[:split], *globs, *patterns, *words[split:]]


class Wc(OnPaths):
    """Count lines, words, bytes, characters, or the longest line."""

    lines: bool = False
    words: bool = False
    bytes: bool = False
    chars: bool = False
    max_line_length: bool = False
    files0_from_stdin: bool = False
    flags = {
        "lines": "-l", "words": "-w", "bytes": "-c", "chars": "-m", "max_line_length": "-L",
        "files0_from_stdin": "--files0-from=-",
    }  # fmt: skip


class Ls(OnPaths):
    """List a directory."""

    all: bool = False
    long: bool = False
    recursive: bool = False
    human: bool = False
    reverse: bool = False
    sort: Literal["name", "size", "time", "extension"] | None = None
    flags = {"all": "-a", "long": "-l", "recursive": "-R", "human": "-h", "reverse": "-r"}

    def argv(self) -> list[str]:
        """`--sort` knows no "name": that is the order without it."""
        words = super().argv()
        return [f"--sort={self.sort}", *words] if self.sort and self.sort != "name" else words


class NameTest(BaseModel):
    """Globs of which a name must match one, or none if `denied`."""

    model_config = ConfigDict(extra="forbid")

    globs: Texts = Field(min_length=1)
    denied: bool = False
    ignore_case: bool = False

    def words(self) -> list[str]:
        """The test as find takes it."""
        tests = _any_of("-iname" if self.ignore_case else "-name", self.globs)
        return ["!", *tests] if self.denied else tests


class Find(OnPaths):
    """Find files; every list is alternatives, and all given conditions must hold.

    `perms` holds modes as `-perm` takes them, with "!" in front of those that must not hold.
    """

    name: Texts = Field(default_factory=list)
    names: Texts = Field(default_factory=list)
    iname: Texts = Field(default_factory=list)
    also_names: Texts = Field(default_factory=list)
    not_names: Texts = Field(default_factory=list)
    path_glob: Texts = Field(default_factory=list)
    name_tests: list[NameTest] = Field(default_factory=list)
    perms: Texts = Field(default_factory=list)
    user: str | None = None
    group: str | None = None
    broken: bool = False
    type: Literal["f", "d", "l"] | None = None
    size: Texts = Field(default_factory=list)
    sizes: Texts = Field(default_factory=list)
    empty: bool = False
    executable: bool = False
    newer: str | None = None
    mtime: str | None = None
    mmin: str | None = None
    amin: str | None = None
    modified_after: str | None = None
    modified_before: str | None = None
    mindepth: Natural | None = None
    maxdepth: Natural | None = None
    exclude_dirs: Texts = Field(default_factory=list)
    exclude_paths: Texts = Field(default_factory=list)
    prune_matches: bool = False
    print0: bool = False
    printf: str | None = None

    def argv(self) -> list[str]:
        """Start points, depth, pruning, conditions, output: the order find wants them in."""
        # What begins like a part of the expression is none when it is a path.
        starts = [f"./{path}" if path.startswith(tuple("-()!,")) else path for path in self.operands()]
        words = starts or ["."]
        for option, value in (("-mindepth", self.mindepth), ("-maxdepth", self.maxdepth)):
            words += [option, str(value)] if value is not None else []
        words += self._pruned()
        words += ["-type", self.type] if self.type else []
        for test, globs in (
            ("-name", [*self.name, *self.names]), ("-iname", self.iname),
            ("-name", self.also_names), ("-path", self.path_glob),
        ):  # fmt: skip
            words += _any_of(test, globs)
        for glob in self.not_names:
            words += ["!", "-name", glob]
        words += [word for test in self.name_tests for word in test.words()]
        words += ["-xtype", "l"] if self.broken else []
        words += ["-empty"] if self.empty else []
        words += ["-executable"] if self.executable else []
        for size in [*self.size, *self.sizes]:
            words += ["-size", size]
        for option, text in (
            ("-newer", self.newer), ("-mtime", self.mtime), ("-mmin", self.mmin), ("-amin", self.amin),
            ("-user", self.user), ("-group", self.group),
        ):  # fmt: skip
            words += [option, text] if text is not None else []
        for mode in self.perms:
            words += ["!", "-perm", mode[1:]] if mode.startswith("!") else ["-perm", mode]
        words += ["-newermt", self.modified_after] if self.modified_after is not None else []
        words += ["!", "-newermt", self.modified_before] if self.modified_before is not None else []
        words += ["-prune"] if self.prune_matches else []
        return words + self._output()

    def _pruned(self) -> list[str]:
        named = [word for name in self.exclude_dirs for word in ("-o", "-type", "d", "-name", name)]
        placed = [word for path in self.exclude_paths for word in ("-o", *_at(path))]
        tests = named + placed
        return ["(", *tests[1:], ")", "-prune", "-o"] if tests else []

    def _output(self) -> list[str]:
        if self.printf is not None:
            return ["-printf", self.printf]
        return ["-print0"] if self.print0 else ["-print"]


def _any_of(test: str, globs: Sequence[str]) -> list[str]:
    words = [word for glob in globs for word in ("-o", test, glob)]
    return ["(", *words[1:], ")"] if words else []


def _at(path: str) -> list[str]:
    """The test for one path below a start point, with or without "./" in front; glob signs are literal."""
    plain = path.removeprefix("./").rstrip("/")
    for sign in "\\*?[":
        plain = plain.replace(sign, f"\\{sign}")
    return ["(", "-path", f"./{plain}", "-o", "-path", plain, ")"]


class Sort(OnPaths):
    """Sort lines."""

    numeric: bool = False
    reverse: bool = False
    unique: bool = False
    human_numeric: bool = False
    ignore_case: bool = False
    zero_terminated: bool = False
    key: str | None = Field(None, pattern=r"^[0-9.,bdfgiMhnRrV]+$")
    field_separator: str | None = Field(None, max_length=1)
    flags = {
        "numeric": "-n", "reverse": "-r", "unique": "-u", "human_numeric": "-h", "ignore_case": "-f",
        "zero_terminated": "-z",
    }  # fmt: skip
    options = {"key": "-k", "field_separator": "-t"}


class Uniq(Arguments):
    """Join equal neighbouring lines."""

    path: str | None = None
    count: bool = False
    repeated: bool = False
    unique: bool = False
    ignore_case: bool = False
    flags = {"count": "-c", "repeated": "-d", "unique": "-u", "ignore_case": "-i"}

    def operands(self) -> Sequence[str]:
        """One input at most: a second operand would be written to."""
        return [self.path] if self.path else []


class Cut(OnPaths):
    """Keep parts of lines."""

    fields: str | None = None
    characters: str | None = None
    delimiter: str | None = Field(None, max_length=1)
    options = {"fields": "-f", "characters": "-c", "delimiter": "-d"}


class Tr(Arguments):
    """Replace or delete characters of the input."""

    set1: str
    set2: str | None = None
    delete: bool = False
    squeeze: bool = False
    complement: bool = False
    flags = {"delete": "-d", "squeeze": "-s", "complement": "-c"}

    def operands(self) -> Sequence[str]:
        """The character sets."""
        return [self.set1] if self.set2 is None else [self.set1, self.set2]


class Nl(OnPaths):
    """Number lines."""


class Tac(OnPaths):
    """Print lines in reverse order."""


class Stat(OnPaths):
    """Print file status."""

    format: str | None = None
    options = {"format": "-c"}


class Du(OnPaths):
    """Measure directories."""

    summarize: bool = False
    human: bool = False
    bytes: bool = False
    all: bool = False
    max_depth: Natural | None = None
    exclude: Texts = Field(default_factory=list)
    flags = {"summarize": "-s", "human": "-h", "bytes": "-b", "all": "-a"}
    options = {"max_depth": "--max-depth"}

    def argv(self) -> list[str]:
        """One `--exclude` a glob."""
        return [*(f"--exclude={glob}" for glob in self.exclude), *super().argv()]


class File(OnPaths):
    """Say what files hold."""


class Diff(OnPaths):
    """Compare two files or directories."""

    brief: bool = False
    unified: bool = False
    recursive: bool = False
    flags = {"brief": "-q", "unified": "-u", "recursive": "-r"}


class Comm(OnPaths):
    """Compare two sorted files."""

    suppress: str | None = Field(None, pattern="^[123]{1,3}$")

    def argv(self) -> list[str]:
        """`suppress` names the columns left out."""
        return [*([f"-{self.suppress}"] if self.suppress else []), *super().argv()]


class Basename(Arguments):
    """Last part of each path; nothing is read."""

    path: Texts
    suffix: str | None = None
    options = {"suffix": "-s"}

    def argv(self) -> list[str]:
        """`-a`, so that every operand is a path."""
        return ["-a", *super().argv()]

    def operands(self) -> Sequence[str]:
        """The paths."""
        return self.path


class Dirname(OnPaths):
    """All but the last part of each path; nothing is read."""


class Realpath(OnPaths):
    """Absolute path with links resolved."""


class Sha256sum(OnPaths):
    """SHA-256 of files."""


class Md5sum(OnPaths):
    """MD5 of files."""


class Pwd(Arguments):
    """The working directory."""


class Seq(Arguments):
    """Print numbers."""

    first: int = 1
    last: int

    def operands(self) -> Sequence[str]:
        """First and last number."""
        return [str(self.first), str(self.last)]


class Git(Arguments):
    """Read history: log, show, diff, status, blame, grep or ls-files, with options as git takes them."""

    subcommand: Literal["log", "show", "diff", "status", "blame", "grep", "ls-files"]
    arguments: list[str] = Field(default_factory=list, alias="argv", max_length=200)
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    def argv(self) -> list[str]:
        """Subcommand, then its arguments as given."""
        return [self.subcommand, *self.arguments]


TOOLS: dict[str, type[Arguments]] = {
    "cat": Cat, "head": Head, "tail": Tail, "grep": Grep, "wc": Wc, "ls": Ls, "find": Find, "sort": Sort,
    "uniq": Uniq, "cut": Cut, "tr": Tr, "nl": Nl, "tac": Tac, "stat": Stat, "du": Du, "file": File,
    "diff": Diff, "comm": Comm, "basename": Basename, "dirname": Dirname, "realpath": Realpath,
    "sha256sum": Sha256sum, "md5sum": Md5sum, "pwd": Pwd, "seq": Seq, "git": Git,
}  # fmt: skip


class Stage(BaseModel):
    """One stage of a pipeline: a tool with typed arguments, or with an argument vector.

    Attributes:
        tool: name of a Unix tool.
        args: typed arguments.
        argv: argument vector instead of `args`.
        from_input: run the tool over the paths its input lists, as xargs does.
        null_separated: those paths are separated by NUL instead of newlines.
        per_run: run the tool anew after this many paths.
        placeholder: run the tool for each path, with it in place of this text in `argv`.
        expect_exit: exit codes that are no failure.
    """

    model_config = ConfigDict(extra="forbid")

    tool: str
    args: dict[str, object] | None = None
    argv: list[str] | None = Field(None, max_length=1000)
    from_input: bool = False
    null_separated: bool = False
    per_run: int | None = Field(None, ge=1, le=4000)
    placeholder: str | None = Field(None, min_length=1, max_length=40)
    expect_exit: tuple[int, ...] = (0,)

    @model_validator(mode="after")
    def _one_form(self) -> Stage:
        if self.args is not None and self.argv is not None:
            raise ValueError("give args or argv, not both")
        if self.placeholder is not None and not (self.from_input and self.argv is not None):
            raise ValueError("a placeholder needs from_input and argv")
        return self


class Pipeline(BaseModel):
    """Stages joined by pipes."""

    model_config = ConfigDict(extra="forbid")

    stages: list[Stage] = Field(min_length=1, max_length=12)


class Command(BaseModel):
    """A command as a model writes it; parsed into stages, never given to a shell."""

    model_config = ConfigDict(extra="forbid")

    command: str = Field(min_length=1, max_length=8000)
