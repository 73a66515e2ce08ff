"""Which options each tool may be given. What is not listed is refused.

A listed option neither writes, nor runs a program, nor reads a list of names or a pattern from another file,
nor follows links out of the root.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Check = Callable[[str], bool]


def _matches(pattern: str) -> Check:
    compiled = re.compile(pattern)
    return lambda value: compiled.fullmatch(value) is not None


def anything(value: str) -> bool:
    """Any text is harmless here."""
    return True


COUNT = _matches(r"[+-]?\d{1,18}")
SIZE = _matches(r"[+-]?\d{1,15}[a-zA-Z]{0,3}")
LIST = _matches(r"[\d,\-]{1,500}")
SIMILARITY = _matches(r"[0-9]{0,18}%?(?:/[0-9]{0,18}%?)?")
KEY = _matches(r"[\d.,bdfgiMhnRrV]{1,60}")
WORD = _matches(r"[\w:+-]{0,60}")
ONE_CHARACTER = _matches(r"(?s).|\\[0tn]")


UNLIMITED = 1_000_000


@dataclass(frozen=True)
class Allowed:
    """What one tool accepts.

    Attributes:
        flags: short options without a value, as one text.
        valued: short options with a value, and what the value may be.
        long: long options; None takes no value, a check takes one.
        optional: long options whose value may be left out.
        operands: "paths", "texts", "none", "format" (begins with "+"), or "pattern" (the first operand is one
            unless -e was given).
        most: most operands.
        attached: short options whose value may be left out, and never stands apart.
        counts: True if `-5` means a count.
        counted: the option that count belongs to.
        abbreviates: True if long options may be shortened, as getopt_long allows.
        least: fewest operands.
    """

    flags: str = ""
    valued: Mapping[str, Check] = field(default_factory=dict)
    long: Mapping[str, Check | None] = field(default_factory=dict)
    optional: Mapping[str, Check] = field(default_factory=dict)
    operands: str = "paths"
    most: int = UNLIMITED
    attached: Mapping[str, Check] = field(default_factory=dict)
    counts: bool = False
    counted: str = "n"
    abbreviates: bool = True
    least: int = 0


def _flags(names: str) -> dict[str, Check | None]:
    return dict.fromkeys(names.split())


HEAD_LONG: dict[str, Check | None] = {
    "lines": COUNT,
    "bytes": SIZE,
    **_flags("quiet silent verbose zero-terminated"),
}
SUM = Allowed("bz", long=_flags("binary tag text zero"))

ALLOWED: dict[str, Allowed] = {
    "cat": Allowed(
        "AbeEnstTuv",
        long=_flags("show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"),
    ),
    "head": Allowed("qvz", {"n": COUNT, "c": SIZE}, HEAD_LONG, counts=True),
    "tail": Allowed("qvz", {"n": COUNT, "c": SIZE}, HEAD_LONG, counts=True),
    "tac": Allowed("b", {"s": anything}, {"separator": anything, "before": None}),
    "nl": Allowed(
        "p",
        {
            **dict.fromkeys("bdfhs", anything),
            "n": WORD,
            **dict.fromkeys("ilvw", COUNT),
        },
        {
            "no-renumber": None,
            "header-numbering": anything,
            "footer-numbering": anything,
            "section-delimiter": anything,
            "line-increment": COUNT,
            "join-blank-lines": COUNT,
            "starting-line-number": COUNT,
            "body-numbering": anything,
            "number-format": WORD,
            "number-separator": anything,
            "number-width": COUNT,
        },
    ),
    "wc": Allowed(
        "clmLw",
        long={**_flags("bytes chars lines max-line-length words"), "files0-from": lambda value: value == "-"},
    ),
    "ls": Allowed(
        "1aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ",
        {"I": anything, "w": COUNT},
        {
            **_flags(
                "all almost-all directory human-readable inode recursive reverse size "
                "numeric-uid-gid no-group si file-type full-time group-directories-first "
                "ignore-backups escape literal quote-name author zero kibibytes "
                "show-control-chars hide-control-chars"
            ),
            "sort": WORD,
            "time": WORD,
            "time-style": anything,
            "ignore": anything,
            "hide": anything,
            "format": WORD,
            "block-size": SIZE,
            "indicator-style": WORD,
            "quoting-style": WORD,
            "width": COUNT,
        },
        {"color": WORD, "classify": WORD, "hyperlink": WORD},
    ),
    "grep": Allowed(
        "abcEFGhHiIlLnNoPqrRsTUvwxyZz",
        {"e": anything, "m": COUNT, "A": COUNT, "B": COUNT, "C": COUNT, "d": WORD},
        {
            **_flags(
                "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case "
                "no-ignore-case word-regexp line-regexp null-data no-messages invert-match "
                "byte-offset line-number line-buffered with-filename no-filename only-matching "
                "quiet silent text recursive dereference-recursive files-without-match "
                "files-with-matches count initial-tab null"
            ),
            "regexp": anything,
            "max-count": COUNT,
            "after-context": COUNT,
            "before-context": COUNT,
            "context": COUNT,
            "include": anything,
            "exclude": anything,
            "exclude-dir": anything,
            "binary-files": WORD,
            "directories": WORD,
        },
        {"color": WORD, "colour": WORD},
        operands="pattern",
        counts=True,
        counted="C",
    ),
    "sort": Allowed(
        "bcCdfghiMmnRrsuVz",
        {"k": KEY, "t": ONE_CHARACTER},
        {
            **_flags(
                "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort "
                "ignore-nonprinting month-sort human-numeric-sort numeric-sort reverse "
                "version-sort stable unique zero-terminated merge"
            ),
            "key": KEY,
            "field-separator": ONE_CHARACTER,
            "sort": WORD,
        },
        {"check": WORD},
    ),
    "uniq": Allowed(
        "cdDiuz",
        {"f": COUNT, "s": COUNT, "w": COUNT},
        {
            **_flags("count repeated ignore-case unique zero-terminated"),
            "skip-fields": COUNT,
            "skip-chars": COUNT,
            "check-chars": COUNT,
        },
        {"all-repeated": WORD, "group": WORD},
        most=1,
    ),
    "cut": Allowed(
        "nsz",
        {"b": LIST, "c": LIST, "f": LIST, "d": ONE_CHARACTER},
        {
            **_flags("complement only-delimited zero-terminated"),
            "bytes": LIST,
            "characters": LIST,
            "fields": LIST,
            "delimiter": ONE_CHARACTER,
            "output-delimiter": anything,
        },
    ),
    "tr": Allowed(
        "cCdst", long=_flags("complement delete squeeze-repeats truncate-set1"), operands="texts", most=2
    ),
    "stat": Allowed(
        "ft",
        {"c": anything},
        {"format": anything, "printf": anything, **_flags("file-system terse")},
    ),
    "du": Allowed(
        "0abchkmsSx",
        {"d": COUNT, "B": SIZE, "t": SIZE},
        {
            **_flags(
                "all apparent-size bytes total human-readable summarize separate-dirs null "
                "one-file-system si inodes"
            ),
            "time-style": WORD,
            "max-depth": COUNT,
            "exclude": anything,
            "block-size": SIZE,
            "threshold": SIZE,
        },
        {"time": WORD},
    ),
    "file": Allowed(
        "b0hiNrks",
        {"F": anything},
        {
            **_flags(
                "brief mime mime-type mime-encoding print0 extension keep-going raw no-pad no-dereference"
            ),
            "separator": anything,
        },
    ),
    "diff": Allowed(
        "abBcdeEiNpqrstTuwyZ0123456789",
        {"U": COUNT, "C": COUNT, "W": COUNT, "x": anything, "I": anything, "L": anything},
        {
            **_flags(
                "strip-trailing-cr expand-tabs initial-tab show-c-function speed-large-files "
                "normal brief report-identical-files side-by-side ed rcs recursive new-file "
                "ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change "
                "ignore-all-space ignore-blank-lines text minimal suppress-common-lines "
                "left-column no-dereference"
            ),
            "width": COUNT,
            "tabsize": COUNT,
            "exclude": anything,
            "label": anything,
            "ignore-matching-lines": anything,
        },
        {"color": WORD, "unified": COUNT, "context": COUNT},
        most=2,
    ),
    "comm": Allowed(
        "123z",
        long={**_flags("check-order nocheck-order total zero-terminated"), "output-delimiter": anything},
        most=2,
    ),
    "basename": Allowed(
        "az", {"s": anything}, {"suffix": anything, **_flags("multiple zero")}, operands="texts"
    ),
    "dirname": Allowed("z", long=_flags("zero"), operands="texts"),
    "realpath": Allowed(
        "eLmPqsz",
        long={
            **_flags(
                "canonicalize-existing canonicalize-missing logical physical no-symlinks quiet zero strip"
            ),
            "relative-to": anything,
            "relative-base": anything,
        },
    ),
    **dict.fromkeys("sha1sum sha224sum sha256sum sha384sum sha512sum md5sum".split(), SUM),
    "rev": Allowed(),
    "paste": Allowed("sz", {"d": anything}, {"delimiters": anything, **_flags("serial zero-terminated")}),
    "readlink": Allowed("nz", long=_flags("no-newline zero")),
    "cmp": Allowed("bls", {"n": SIZE}, {"bytes": SIZE, **_flags("print-bytes verbose quiet silent")}, most=2),
    "od": Allowed(
        "abcdfiloxsv",
        {"A": WORD, "t": WORD, "j": SIZE, "N": SIZE, "w": COUNT},
        {
            **_flags("output-duplicates"),
            "address-radix": WORD,
            "format": WORD,
            "skip-bytes": SIZE,
            "read-bytes": SIZE,
        },
    ),
    # Of file systems other than the one of an operand nothing is told.
    "df": Allowed("hHikPT", long=_flags("human-readable si inodes portability print-type"), least=1),
    # An operand without "+" in front would set the clock.
    "date": Allowed(
        "uR",
        {"d": anything},
        {"date": anything, **_flags("utc universal rfc-email")},
        optional={"iso-8601": WORD},
        operands="format",
        most=1,
    ),
    # The machine's name is not told.
    "uname": Allowed(
        "srvmpio",
        long=_flags(
            "kernel-name kernel-release kernel-version machine processor hardware-platform operating-system"
        ),
        operands="none",
    ),
    "id": Allowed("ugGnrz", long=_flags("user group groups name real zero"), operands="none"),
    "pwd": Allowed("LP", long=_flags("logical physical"), operands="none"),
    "seq": Allowed(
        "w",
        {"s": anything, "f": anything},
        {"separator": anything, "format": anything, "equal-width": None},
        operands="texts",
        most=3,
    ),
}

# What to say of programs that are no read-only tools, by what they are for.
REASONS = {
    "Nothing is written here; say in the answer what should be changed.": (
        "touch tee cp mv rm rmdir mkdir mkfifo mknod ln unlink install truncate dd chmod chown chgrp chattr "
        "setfattr setfacl rename patch split csplit sponge shred rsync tar zip gzip bzip2 xz"
    ),
    "Write the tool itself, without another in front.": (
        "env nice nohup timeout stdbuf setsid ionice time command builtin exec sudo su script busybox chroot "
        "unshare taskset prlimit flock watch strace"
    ),
    "Scripts are not run; use the Unix tools, one pipeline a step.": (
        "sh bash dash zsh ksh source . eval python perl ruby node php tclsh lua make m4 dc bc vim vi ed ex "
        "sqlite gdb if for while until case function select trap coproc [["
    ),
    "There is no network; read files below the root.": (
        "curl wget nc ncat socat telnet ssh scp ftp ping dig host nslookup openssl"
    ),
    "Processes and the machine are out of reach; ask about files below the root.": (
        "kill pkill killall ps top renice mount umount reboot shutdown systemctl crontab at sysctl insmod "
        "fuser lsof wall chrt"
    ),
    "The environment is not shown; ask about files below the root.": (
        "printenv set export declare typeset compgen alias unset read locate updatedb"
    ),
    "Use cut, sort, uniq, wc or grep.": "awk gawk mawk nawk jq column",
    "Use cat or head.": "less more most bat man",
    "Use od, cat -A or file.": "xxd hexdump strings base64",
    "Use grep -rn.": "rg ag ack zgrep",
    "Use grep -E.": "egrep",
    "Use grep -F.": "fgrep",
    "Use find.": "fd",
    "Use find . -maxdepth 2.": "tree",
    "Use ls or stat; what is missing is told.": "test [",
    "Use sha256sum or md5sum.": "cksum sum b2sum",
    "Every path is relative to the root; write it in full.": "cd pushd",
    "Ask about files below the root.": "which whereis type",
    "State the text in the answer instead.": "echo printf",
}
INSTEAD = {name: reason for reason, names in REASONS.items() for name in names.split()} | {
    "xargs": "Use it after a pipe with an allowed tool: find ... -print0 | xargs -0 wc -l.",
}
