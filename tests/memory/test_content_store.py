import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.content_store import ContentStore
from memory.errors import ContentLost, ContentUnwritable

RECORDS = st.dictionaries(
    st.text(max_size=8), st.one_of(st.text(max_size=20), st.integers(), st.none()), max_size=5
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RECORDS)
def test_what_is_read_back_is_what_was_written_once(tmp_path: Path, record: dict[str, object]) -> None:
    store = ContentStore(tmp_path / "store")
    key = store.put(record)
    assert store.put(dict(reversed(record.items()))) == key and store.get(key) == record


def test_a_changed_or_missing_record_is_told(tmp_path: Path) -> None:
    store = ContentStore(tmp_path)
    key = store.put({"a": 1})
    (tmp_path / key[:2] / f"{key}.json").write_text('{"a": 2}')
    with pytest.raises(ContentLost, match="was changed"):
        store.get(key)
    for wrong in ("0" * 64, "../../etc/passwd", ""):
        with pytest.raises(ContentLost):
            store.get(wrong)


@pytest.mark.parametrize("damage", [b"", b'{"a"', b'{"a": 2}'])
def test_a_damaged_record_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    store = ContentStore(tmp_path)
    key = store.put({"a": 1})
    (tmp_path / key[:2] / f"{key}.json").write_bytes(damage)
    assert store.put({"a": 1}) == key and store.get(key) == {"a": 1}


def test_a_record_is_on_the_disk_before_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)

        def noted(*given: object, name: str = name, real: Callable[..., object] = real) -> object:
            done.append(name)
            return real(*given)

        monkeypatch.setattr(os, name, noted)
    ContentStore(tmp_path).put({"a": 1})
    assert done == ["fsync", "replace"]


def test_a_store_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ContentUnwritable):
        ContentStore(tmp_path / "file").put({"a": 1})
