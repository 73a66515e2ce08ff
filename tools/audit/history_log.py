"""What `git log -z --numstat` writes, counted by file. Paths are bytes until a report names them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import IO

from tools.audit.labels import label_of_bytes

HEAD_FORMAT = "@%H %ct %ae"
_HEAD_MARK = b"@"
_CHUNK = 2**20
# Of what is not text, git counts no lines.
_UNCOUNTED = b"-"


@dataclass
class Tally:
    """Changes of one file; authors are known by their addresses, in small letters."""

    commits: int = 0
    added: int = 0
    deleted: int = 0
    authors: set[bytes] = field(default_factory=set)


@dataclass
class Log:
    """What a log says.

    Attributes:
        seen: commits in it.
        counted: those whose changes are known.
        newest: of their times, seconds since 1970; None without any.
        more: there are older ones.
        files: changes by name, of those asked for.
    """

    seen: int = 0
    counted: int = 0
    newest: int | None = None
    more: bool = False
    files: dict[str, Tally] = field(default_factory=dict)


@dataclass
class _Change:
    """One file in one commit; `former` is its path before."""

    former: bytes
    path: bytes
    added: int
    deleted: int


@dataclass
class _Commit:
    name: bytes
    when: int
    author: bytes
    changes: list[_Change] = field(default_factory=list)


class Wanted:
    """Which files' changes count, by the paths they had at the commit that is read.

    Args:
        prefix: path of the audited directory from the top, with a slash behind; empty at the top.
        files: names of the present files, as `labels.label` writes them.
    """

    def __init__(self, prefix: bytes, files: Collection[str]) -> None:
        self._prefix = prefix
        self._files = files
        self._known: dict[bytes, str | None] = {}

    def name(self, path: bytes) -> str | None:
        """The present name of what had this path; None if its changes do not count."""
        if path not in self._known:
            named = label_of_bytes(path[len(self._prefix) :]) if path.startswith(self._prefix) else ""
            self._known[path] = named if named in self._files else None
        return self._known[path]

    def rename(self, renamed: dict[bytes, str]) -> None:
        """Take note of the paths that files had before the commit that was read."""
        self._known |= renamed


def read_log(stream: IO[bytes], wanted: Wanted, boundary: Collection[bytes], most: int) -> Log:
    """Count a log with our heads, the newest commit first.

    Args:
        stream: read from its beginning.
        wanted: the files whose changes count.
        boundary: hashes of commits whose changes are not known.
        most: commits that are read.

    Raises:
        ValueError: it is no such log.
    """
    log = Log()
    for commit in _commits(stream):
        if log.seen == most:
            log.more = True
            break
        log.seen += 1
        log.newest = commit.when if log.newest is None else max(commit.when, log.newest)
        if commit.name not in boundary:
            log.counted += 1
            _count(commit, wanted, log.files)
    return log


def _count(commit: _Commit, wanted: Wanted, files: dict[str, Tally]) -> None:
    touched, renamed = set[str](), dict[bytes, str]()
    for change in commit.changes:
        name = wanted.name(change.path)
        if name is None:
            continue
        tally = files.setdefault(name, Tally())
        tally.commits += name not in touched
        tally.added += change.added
        tally.deleted += change.deleted
        tally.authors.add(commit.author.lower())
        touched.add(name)
        if change.former != change.path:
            renamed[change.former] = name
    # Not before the commit is counted: two files may have taken each other's names in it.
    wanted.rename(renamed)


def _commits(stream: IO[bytes]) -> Iterator[_Commit]:
    commit: _Commit | None = None
    tokens = _tokens(stream)
    for raw in tokens:
        # A line break follows a head, and nothing stands between two commits.
        token = raw.removeprefix(b"\n")
        if token.startswith(_HEAD_MARK):
            if commit is not None:
                yield commit
            name, when, author = token[1:].split(b" ", 2)
            commit = _Commit(name, int(when), author)
        elif token:
            if commit is None:
                raise ValueError("the log does not begin with a commit")
            commit.changes.append(_change(token, tokens))
    if commit is not None:
        yield commit


def _change(token: bytes, tokens: Iterator[bytes]) -> _Change:
    added, deleted, path = token.split(b"\t", 2)
    former = path
    if not path:
        former, path = next(tokens, b""), next(tokens, b"")
    if not path:
        raise ValueError("the log ends within a renaming")
    return _Change(former, path, *(0 if count == _UNCOUNTED else int(count) for count in (added, deleted)))


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    """What ends with a NUL."""
    stream.seek(0)
    rest = b""
    while chunk := stream.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest.strip():
        raise ValueError("the log ends within a record")
