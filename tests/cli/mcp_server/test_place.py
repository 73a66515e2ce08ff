from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.mcp_server.place import below, corpus_below
from configs.errors import UsageError


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with links that lead out of it, beside, and within."""
    base = tmp_path_factory.mktemp("place").resolve()
    root = base / "root"
    (root / "docs" / "deep").mkdir(parents=True)
    (root / "docs" / "items.jsonl").write_text("{}\n")
    (root / "-").mkdir()
    (base / "root-beside").mkdir()
    for name, target in (
        ("out", base),
        ("beside", base / "root-beside"),
        ("within", root / "docs"),
        ("up", Path("../")),
        ("docs/loop", root / "docs" / "loop"),
    ):
        (root / name).symlink_to(target)
    return root


PARTS = st.sampled_from(
    ["docs", "deep", "items.jsonl", "out", "beside", "within", "up", "loop", "..", ".", "", "-", "~", "new",
     "root", "root-beside", "/", "\0", "a" * 300, "é"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(PARTS, max_size=5), absolute=st.booleans(), prefix=st.sampled_from(["", "chroma:"]))
def test_no_path_leads_out_of_the_root(root: Path, parts: list[str], absolute: bool, prefix: str) -> None:
    named = "/".join([str(root), *parts] if absolute else parts)
    try:
        found = below(root, named)
    except UsageError as error:
        assert error.remedy and len(error.what) < 1000
        return
    assert found.is_relative_to(root) and Path(os.path.realpath(found)) == found
    if named and "#" not in named:
        assert corpus_below(root, f"{prefix}{named}#c" if prefix else named).startswith(f"{prefix}{root}")


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("", ""),
        ("docs", "docs"),
        ("within/deep", "docs/deep"),
        ("docs/../docs", "docs"),
        ("-", "-"),
        ("new", "new"),
    ],
)
def test_a_path_below_the_root_is_given_resolved(root: Path, named: str, found: str) -> None:
    assert below(root, named) == root / found
    assert below(root, str(root / named)) == root / found


@pytest.mark.parametrize(
    "named",
    ["..", "out", "beside", "up", "docs/../..", "/", "/etc", "~", "~root", "docs/loop/x", "\0"],
)
def test_a_path_that_leads_out_is_refused_with_a_remedy(root: Path, named: str) -> None:
    with pytest.raises(UsageError, match="not below the root") as raised:
        below(root, named)
    assert raised.value.remedy


def test_a_corpus_that_is_a_server_names_no_path(root: Path) -> None:
    assert [corpus_below(root, one) for one in ("", "searxng", "duckduckgo", "mcp:../x")] == [
        "",
        "searxng",
        "duckduckgo",
        "mcp:../x",
    ]


def test_a_collection_stays_with_its_directory(root: Path) -> None:
    assert corpus_below(root, "chroma:within#notes") == f"chroma:{root}/docs#notes"
    assert corpus_below(root, "chroma:#notes") == f"chroma:{root}#notes"
    for corpus in ("chroma:out#notes", "chroma:/etc#", "chroma:..", "chroma:out"):
        with pytest.raises(UsageError):
            corpus_below(root, corpus)


def test_a_directory_whose_resolved_name_would_be_cut_short_is_refused(tmp_path: Path) -> None:
    root = (tmp_path / "root").resolve()
    (root / "notes#1").mkdir(parents=True)
    (root / "notes").symlink_to(tmp_path)
    (root / "link").symlink_to(root / "notes#1")
    with pytest.raises(UsageError):
        corpus_below(root, "chroma:link#c")
    odd = tmp_path / "odd#root"
    (odd / "docs").mkdir(parents=True)
    with pytest.raises(UsageError):
        corpus_below(odd.resolve(), "chroma:docs#c")
    assert corpus_below(odd.resolve(), "docs") == str(odd.resolve() / "docs")
