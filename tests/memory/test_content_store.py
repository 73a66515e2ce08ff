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


def test_a_store_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ContentUnwritable):
        ContentStore(tmp_path / "file").put({"a": 1})
