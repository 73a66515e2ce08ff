"""Bytes into text, whatever they are."""

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.audit import AuditSettings
from tools.audit.reading import Text, read
from tools.audit.sources import Source, Unusable

SETTINGS = AuditSettings(most_bytes=10_000)


def text_of(place: Path, content: bytes, language: str = "python") -> Text:
    path = place / "a"
    path.write_bytes(content)
    return read(Source("a", path.resolve(), language, len(content)), SETTINGS)


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        ("ä = 1\n".encode(), "utf-8", "ä = 1\n"),
        (codecs.BOM_UTF8 + "ä = 1\n".encode(), "utf-8-sig", "ä = 1\n"),
        ("# coding: latin-1\nä = 1\n".encode("latin-1"), "iso-8859-1", "# coding: latin-1\nä = 1\n"),
        (
            "# vim: set fileencoding=cp1252 :\n'€'".encode("cp1252"),
            "cp1252",
            "# vim: set fileencoding=cp1252 :\n'€'",
        ),
        (b"a\r\nb\rc\n\r\n", "utf-8", "a\nb\nc\n\n"),
        (b"", "utf-8", ""),
    ],
)
def test_python_is_decoded_as_python_does(tmp_path: Path, content: bytes, encoding: str, text: str) -> None:
    assert text_of(tmp_path, content) == Text(text, encoding)


@pytest.mark.parametrize(
    "content",
    [
        "a = 'ä'\n".encode("latin-1"),
        b"# coding: utf-8\na = '\xe4'\n",
        b"# coding: no-such-thing\na = 1\n",
        b"# coding: rot13\na = 1\n",
        b"# coding: zlib\na = 1\n",
        codecs.BOM_UTF8 + b"# coding: latin-1\na = 1\n",
        "a = 1\n".encode("utf-16"),
        "a = 1\n".encode("utf-32"),
        codecs.BOM_UTF8 + b"a = '\xe4'\n",
    ],
)
def test_what_python_cannot_decode_has_its_lines_and_a_problem(tmp_path: Path, content: bytes) -> None:
    found = text_of(tmp_path, content)
    assert found.problem.startswith("Python cannot decode it")
    assert found.text.count("\n") == (2 if b"coding" in content else 1)
    assert "a = " in found.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_other_languages_are_decoded_by_their_mark_or_byte_by_byte(tmp_path: Path, encoding: str) -> None:
    found = text_of(tmp_path, "// ä\nint a;\n".encode(encoding), "c")
    assert found == Text("// ä\nint a;\n", encoding)


@pytest.mark.parametrize("language", ["python", "c"])
@pytest.mark.parametrize(
    "content", [b"a = 1\0\n", bytes(range(1, 256)), b"\x89PNG\r\n\x1a\n\0", "a".encode("utf-16-le")]
)
def test_binaries_are_no_text(tmp_path: Path, content: bytes, language: str) -> None:
    with pytest.raises(Unusable) as raised:
        text_of(tmp_path, content, language)
    assert raised.value.reason == "binary"


@given(content=st.binary(max_size=300), language=st.sampled_from(["python", "c"]))
def test_any_bytes_are_text_or_told(
    content: bytes, language: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    try:
        found = text_of(tmp_path_factory.getbasetemp(), content, language)
    except Unusable as error:
        assert error.reason == "binary"
    else:
        assert "\r" not in found.text and "\0" not in found.text


def test_a_file_that_has_grown_is_too_large(tmp_path: Path) -> None:
    with pytest.raises(Unusable) as raised:
        text_of(tmp_path, b"#" * 10_001)
    assert raised.value.reason == "too_large"


def test_what_is_gone_closed_or_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "directory.py").mkdir()
    for name in ("gone.py", "pipe.py", "directory.py", "x" * 5_000):
        with pytest.raises(Unusable) as raised:
            read(Source(name, tmp_path / name, "python", 0), SETTINGS)
        assert raised.value.reason == "unreadable"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.touch(0)
    with pytest.raises(Unusable) as raised:
        read(Source("a.py", path, "python", 0), SETTINGS)
    assert raised.value.reason == "unreadable"


def test_a_file_or_directory_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "outside" / "a.py"
    secret.parent.mkdir()
    secret.write_text("secret = 1\n")
    root = tmp_path / "root"
    root.mkdir()
    (root / "b.py").symlink_to(secret)
    (root / "inner").symlink_to(secret.parent)
    for path, reason in ((root / "b.py", "unreadable"), (root / "inner" / "a.py", "link")):
        with pytest.raises(Unusable) as raised:
            read(Source("a.py", path, "python", 0), SETTINGS)
        assert raised.value.reason == reason
