import hashlib
from pathlib import Path

import pytest

from models.embedded_weights import (
    _assemble,
    _is_verified,
    _stamp,
    cache_directory,
    has_chat_template,
    weights_path,
)
from models.errors import ModelFailed, ModelMissing, ModelUnavailable


@pytest.fixture
def chunks(tmp_path: Path) -> list[Path]:
    files = [tmp_path / f"part{number}" for number in range(3)]
    for number, file in enumerate(files):
        file.write_bytes(bytes([number]) * (2**20 + number))
    return files


def digest(chunks: list[Path]) -> str:
    return hashlib.sha256(b"".join(chunk.read_bytes() for chunk in chunks)).hexdigest()


def test_chunks_become_one_verified_file(tmp_path: Path, chunks: list[Path]) -> None:
    target = tmp_path / "cache" / "model.gguf"
    target.parent.mkdir()
    _assemble(target, chunks, digest(chunks))
    assert hashlib.sha256(target.read_bytes()).hexdigest() == digest(chunks)
    assert _is_verified(target, digest(chunks))
    assert sorted(path.name for path in target.parent.iterdir()) == [target.name, _stamp(target).name]


def test_a_damaged_chunk_leaves_nothing_behind(tmp_path: Path, chunks: list[Path]) -> None:
    expected = digest(chunks)
    chunks[1].write_bytes(b"damaged")
    target = tmp_path / "cache" / "model.gguf"
    target.parent.mkdir()
    with pytest.raises(ModelUnavailable, match="damaged"):
        _assemble(target, chunks, expected)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("change", ["shorter", "touched", "stamp is garbage", "stamp is gone"])
def test_a_file_that_changed_since_is_not_trusted(change: str, tmp_path: Path, chunks: list[Path]) -> None:
    target = tmp_path / "model.gguf"
    _assemble(target, chunks, digest(chunks))
    if change == "shorter":
        target.write_bytes(target.read_bytes()[:-1])
    elif change == "touched":
        target.touch()
    elif change == "stamp is garbage":
        _stamp(target).write_text("{", "utf-8")
    else:
        _stamp(target).unlink()
    assert not _is_verified(target, digest(chunks))


def test_a_file_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"none\.gguf"):
        weights_path(str(tmp_path / "none.gguf"))


def test_a_file_of_another_kind_is_refused_before_the_engine_sees_it(tmp_path: Path) -> None:
    file = tmp_path / "notes.gguf"
    file.write_text("These are notes.", "utf-8")
    with pytest.raises(ModelFailed, match="no GGUF"):
        weights_path(str(file))


def test_a_gguf_anywhere_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "any name.gguf"
    file.write_bytes(b"GGUF" + bytes(20))
    assert weights_path(str(file)) == file
    assert not has_chat_template(file)


def test_a_chat_template_is_found_in_the_metadata(tmp_path: Path) -> None:
    file = tmp_path / "chat.gguf"
    file.write_bytes(b"GGUF" + bytes(2**20) + b"tokenizer.chat_template" + bytes(2**20))
    assert has_chat_template(file)


def test_the_cache_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "reflective-graph"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "reflective-graph"
