"""Secrets are taken out of text before anything is written to disk.

Only the secret is replaced, by `[redacted]`, so that the rest still reads. Redacting twice changes nothing.
Plain hashes (git commits, digests) and paths are left alone: a value counts as a secret for its issuer's
documented prefix or for the name it is given, never for looking random.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

HIDDEN = "[redacted]"

Replacement: TypeAlias = str | Callable[[re.Match[str]], str]

_KEY_BLOCK = re.compile(
    # A block that was cut before its end is a secret all the same.
    r"(-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)(?:(?!-----END)[\s\S])*"
)
# A word may begin behind the letter of an option (`grep -eTOKEN`), an escape (`\nTOKEN`) or a coded sign
# (`%20TOKEN`) as well.
_GLUED = r"(?<=[\s'\"]-[A-Za-z])|(?<=^-[A-Za-z])|(?<=\\[nrtbf0])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])"
_PREFIXED = re.compile(
    rf"""(?:(?<![A-Za-z0-9_])|{_GLUED})(?:
      (?:sk|pk|rk)-[A-Za-z0-9_-]{{16,}}                      # OpenAI, Anthropic
    | (?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{{10,}}          # Stripe
    | whsec_[A-Za-z0-9]{{16,}}                               # Stripe webhooks
    | gh[opsru]_[A-Za-z0-9]{{16,}} | github_pat_\w{{16,}}      # GitHub
    | gl(?:pat|ptt|rt|dt|ft|soat)-[A-Za-z0-9_-]{{16,}}       # GitLab
    | hf_[A-Za-z0-9]{{16,}}                                  # Hugging Face
    | (?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{{16}}(?![A-Za-z0-9])   # AWS key ids
    | AIza[A-Za-z0-9_-]{{30,}} | ya29\.[A-Za-z0-9_-]{{16,}}    # Google
    | xox[abeprs]-[A-Za-z0-9-]{{10,}} | xapp-[A-Za-z0-9-]{{10,}}  # Slack
    | npm_[A-Za-z0-9]{{30,}} | pypi-[A-Za-z0-9_-]{{16,}}       # package registries
    | SG\.[A-Za-z0-9_-]{{16,}}\.[A-Za-z0-9_-]{{16,}}           # SendGrid
    | (?:dop|doo|dor)_v1_[a-f0-9]{{32,}}                     # DigitalOcean
    | AGE-SECRET-KEY-1[A-Z0-9]{{20,}}                        # age
    | eyJ[A-Za-z0-9_-]{{8,}}\.[A-Za-z0-9_-]{{4,}}(?:\.[A-Za-z0-9_-]*)*  # JSON web tokens
    )+  # secrets without anything in between hide each other's beginning""",
    re.VERBOSE,
)
_HEADER = re.compile(
    rf"(?i)(?:\b|{_GLUED})((?:bearer|basic|token)[ \t]+)(?!\[redacted\])([A-Za-z0-9._~+/=-]{{8,}})"
)
_WEB_HOOK = re.compile(r"(?i)(hooks\.slack\.com/services/)(?!\[redacted\])[A-Za-z0-9/_-]{8,}")
_LOGIN = re.compile(r"(?<=://)([^/?#\s:@'\"]{0,256}):(?!\[redacted\]@)([^/\s@'\"]{1,256})@")
_NAME = (
    r"(?:pass(?:word|wd|phrase)|pwd|passwd|secret|api[_-]?key|apikey|(?:access|auth|refresh|id|session|api)[_-]?token"
    r"|token|private[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|client[_-]?secret|account[_-]?key"
    r"|encryption[_-]?key|signing[_-]?key|credentials?)"
)
_VALUE = r"""(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|([^\s"',;&)\]}]{1,4096}))"""
_ASSIGNED = re.compile(
    # NAME=value, "name": "value"; the name may carry a prefix or a suffix: DB_PASSWORD, TOKEN_2.
    rf"""(?i)((?:(?<![a-z0-9])|{_GLUED}){_NAME}(?:_[a-z0-9]+)?["']?"""
    rf"""\s{{0,3}}(?::=|[=:](?![=:]))\s{{0,3}}){_VALUE}"""
)
_FLAG = re.compile(rf"(?i)(--(?:[a-z0-9]+-){{0,4}}{_NAME}[ ]){_VALUE}")
# Every secret has one of these in it, whatever its case. Looking for plain pieces of text is twenty times
# faster than one expression that ignores case, and most text has none of them.
_SIGNS = (
    "pass", "pwd", "secret", "key", "token", "credential", "bearer", "basic", "://", "akia", "asia", "aroa",
    "aida", "aiza", "ya29", "xox", "xapp", "sg.", "eyj", "whsec", "hooks.",
    "glp", "glr", "gld", "glf", "gls", "glt",
)  # fmt: skip
_SIGNS_BY_MARK = {
    "_": ("k_", "gho_", "ghp_", "ghs_", "ghr_", "ghu_", "github_pat", "hf_", "npm_", "_v1"),
    "-": ("k-", "-----begin", "pypi-"),
}
_NO_SECRET = re.compile(
    # References, types, numbers and truth values that stand where a secret may stand.
    r"(?i)\[redacted\]?|\$\{?\w+\}?|<[^>]*>?|\*+|\.\.\.|none|null|nil|true|false|str|string|int|bytes|bool|any"
    r"|\d{1,7}|(?:os|process|self|settings|config|args|request|ctx|environ)\.[\w.\[\]()'\"]*|\w+\([^)]*|\w+\[.*"
)


def redact(text: str) -> str:
    """Return the text with every secret replaced by `[redacted]`.

    Time is linear in the length of the text.
    """
    return _redact_short(text) if len(text) <= _SHORT else _redact(text)


def _redact(text: str) -> str:
    if not may_hold_secret(text):
        return text
    text = _KEY_BLOCK.sub(rf"\1{HIDDEN}", text)
    text = _PREFIXED.sub(HIDDEN, text)
    text = _WEB_HOOK.sub(rf"\1{HIDDEN}", text)
    text = _LOGIN.sub(rf"\1:{HIDDEN}@", text)
    text = _HEADER.sub(_hide_header, text)
    text = _FLAG.sub(_hide_assigned, text)
    return _ASSIGNED.sub(_hide_assigned, text)


def may_hold_secret(text: str) -> bool:
    """False if a quick look shows that `redact` would leave the text, or a value of that name, as it is."""
    # The patterns' (?i) takes a dotless i for an i; folding does not.
    folded = text.casefold().replace("\u0131", "i")
    for sign in _SIGNS:
        if sign in folded:
            return True
    for mark, signs in _SIGNS_BY_MARK.items():
        if mark in folded and any(sign in folded for sign in signs):
            return True
    return False


# Names of fields, a run's goal and its session come with every event of it, to two files.
_SHORT = 256
_redact_short = lru_cache(maxsize=1024)(_redact)


def redact_record(value: Any, name: str = "") -> Any:
    """Redact every text in a JSON value, and whole values filed under the name of a secret.

    Args:
        value: a JSON value; what is not text, list or dict comes back as it is.
        name: the key the value is filed under.
    """
    if isinstance(value, str):
        if _SECRET_KEY.fullmatch(name) and value and not _NO_SECRET.fullmatch(value):
            return HIDDEN
        return redact(value)
    if isinstance(value, dict):
        return {redact(str(key)): redact_record(item, str(key)) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact_record(item, name) for item in value]
    return value


_SECRET_KEY = re.compile(rf"(?i)(?:[a-z0-9]+[_.-]){{0,6}}{_NAME}(?:_[a-z0-9]+)?")


def _hide_header(match: re.Match[str]) -> str:
    """Leave words of prose alone: `token expired` and `basic usage` hold no secret."""
    value = match[2]
    looks_random = any(char.isdigit() for char in value) or "=" in value or len(value) >= 24
    return match[1] + HIDDEN if looks_random else match[0]


def _hide_assigned(match: re.Match[str]) -> str:
    value = next(group for group in match.groups()[1:] if group is not None)
    if _NO_SECRET.fullmatch(value) or value.startswith(HIDDEN):
        return match[0]
    whole = match[0]
    start = match.start(match.lastindex or 0) - match.start()
    return whole[:start] + HIDDEN + whole[start + len(value) :]
