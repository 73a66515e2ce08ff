"""Bandit as a library: its rules over the syntax tree of one file. Imported in workers of the crew only.

Nothing but bandit's own rules is run, with their defaults: no configuration of the tree, no plugin that
happens to be installed. Rules, severities and lines are those of `bandit -f json`, with two differences. What
a `# nosec` comment suppresses is found as well, and marked. Lines are counted as Python counts them, where
bandit's rule B613 takes form feeds and further signs for line ends.
"""

from __future__ import annotations

import io
import logging
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bandit.core import utils
from bandit.core.config import BanditConfig
from bandit.core.context import Context
from bandit.core.extension_loader import MANAGER
from bandit.core.issue import Issue
from bandit.core.manager import _parse_nosec_comment
from bandit.core.metrics import Metrics
from bandit.core.node_visitor import BanditNodeVisitor
from bandit.core.test_set import BanditTestSet

from tools.audit.reading import Text

OWN = "bandit."
WHOLE_FILE_RULE = "B613"
NAMELESS = "./audited.py"
"""Bandit looks for packages around the path of a file; around this one there are none."""
Suppressions = Mapping[int, set[str]]
"""Rules that a `# nosec` comment names, by its line; an empty set stands for all."""


@dataclass(frozen=True)
class Found:
    """An issue of bandit's, with its lines as Python counts them."""

    issue: Issue
    line: int
    end_line: int
    suppressed: bool


@dataclass(frozen=True)
class Failed:
    """A rule that met something it did not expect, and said nothing of it."""

    rule: str
    line: int
    error: str


@dataclass(frozen=True)
class Scanned:
    """One file: its lines, what was found in it, and what failed on it."""

    lines: list[str]
    found: list[Found]
    failed: list[Failed]


def scan(text: Text) -> Scanned:
    """Run all rules over one module.

    Raises:
        SyntaxError: it is no Python of this interpreter's version.
        RecursionError: it is nested too deeply.
    """
    logging.getLogger("bandit").setLevel(logging.CRITICAL)
    tester = _Tester(own_rules(), _suppressions(text.text) if "nosec" in text.text else {})
    # The rule that looks at bytes decodes them by the cookie in them, so they are encoded by it.
    _Visitor(text.text.encode(text.encoding), tester).process(text.text)
    lines = text.text.removesuffix("\n").split("\n")
    return Scanned(
        lines, [_placed(issue, off, text.text, lines) for issue, off in tester.kept], tester.failed
    )


@cache
def own_rules() -> BanditTestSet:
    """The rules that come with bandit; with those of other packages a report would hang on what is there."""
    ids = {rule.plugin._test_id for rule in MANAGER.plugins if rule.plugin.__module__.startswith(OWN)}
    for listed in MANAGER.blacklists_mgr:
        if listed.plugin.__module__.startswith(OWN):
            ids |= {entry["id"] for entries in listed.plugin().values() for entry in entries}
    return BanditTestSet(BanditConfig(), {"include": ids})


def _suppressions(text: str) -> Suppressions:
    named: dict[int, set[str]] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                rules = _parse_nosec_comment(token.string)
                if rules is not None:
                    named[token.start[0]] = rules
    except tokenize.TokenError:
        pass  # bandit keeps those up to there as well; what is no Python at all, its parser says
    return named


class _Tester:
    """Runs the rules of a kind of node, in the place of bandit's own, which drops what is suppressed.

    It also counts and logs what no report of ours uses, and looks at every node for comments beside it;
    without that a file takes two thirds of the time.

    Args:
        rules: by kinds of nodes.
        suppressions: of the file.

    Attributes:
        kept: issues, and whether each is suppressed.
        failed: rules that did.
    """

    def __init__(self, rules: BanditTestSet, suppressions: Suppressions) -> None:
        self._rules = rules
        self._suppressions = suppressions
        self.kept: list[tuple[Issue, bool]] = []
        self.failed: list[Failed] = []

    def run_tests(self, node: dict[str, Any], kind: str) -> None:
        """Run all rules for a kind; `node` is what bandit's visitor knows of the node."""
        for rule in self._rules.get_tests(kind):
            context = Context(node.copy())
            try:
                issue = rule(context, rule._config) if hasattr(rule, "_config") else rule(context)
            except (MemoryError, RecursionError):
                raise  # of the file as a whole
            except Exception as error:  # a rule may meet anything; it is told, and the others go on
                self.failed.append(Failed(rule._test_id, node["lineno"], type(error).__name__))
                continue
            if issue is not None:
                self._keep(issue, node, rule._test_id)

    def _keep(self, issue: Issue, node: dict[str, Any], rule: str) -> None:
        """Complete an issue as bandit does."""
        beside = utils.get_nosec(self._suppressions, node)
        on_line = self._suppressions.get(issue.lineno)
        issue.lineno = node["lineno"] if issue.lineno is None else issue.lineno
        issue.linerange = issue.linerange or node["linerange"]
        issue.test_id = issue.test_id or rule
        named = None if beside is None and on_line is None else (beside or set()) | (on_line or set())
        self.kept.append((issue, named is not None and (not named or issue.test_id in named)))


class _Visitor(BanditNodeVisitor):  # type: ignore[misc]  # bandit has no types
    """Walks a tree as bandit does, for our tester; no scores are added up."""

    def __init__(self, data: bytes, tester: _Tester) -> None:
        super().__init__(NAMELESS, io.BytesIO(data), None, None, False, {}, Metrics())
        self.tester = tester

    def update_scores(self, scores: None) -> None:
        """Nothing: a report of ours holds none."""


def _placed(issue: Issue, suppressed: bool, text: str, lines: list[str]) -> Found:
    line, last = issue.lineno, max(issue.linerange)
    if issue.test_id == WHOLE_FILE_RULE:
        before = "".join(text.splitlines(keepends=True)[: line - 1])
        line = last = before.count("\n") + 1
    line = min(max(line, 1), len(lines))
    return Found(issue, line, min(max(last, line), len(lines)), suppressed)
