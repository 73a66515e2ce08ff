"""Keys: what is taken for one, and that what is written with one can be read with no other."""

from __future__ import annotations

import base64
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig

from configs.settings import CheckpointSettings, Settings
from memory.checkpoints import open_checkpointer, open_project_checkpointer
from memory.checkpoints.encryption import LEAST_DISTINCT, LENGTHS, key_of, read_key
from memory.checkpoints.serializer import Sealed, ThreadSerializer
from memory.errors import CheckpointEncrypted, EncryptionKeyInvalid, MemoryPackageMissing
from tests.memory.checkpoints.places import SECRETS, run_secretly

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
THREAD: RunnableConfig = {"configurable": {"thread_id": "t1", "checkpoint_ns": ""}}

keys = st.sampled_from(LENGTHS).flatmap(lambda length: st.binary(min_size=length, max_size=length))


@given(keys)
def test_a_random_key_is_read_in_every_way_it_is_written(key: bytes) -> None:
    assume(len(set(key)) >= LEAST_DISTINCT)
    text = base64.b64encode(key).decode()
    assume(text not in (text.lower(), text.upper()))
    assert read_key(key.hex()) == read_key(key.hex().upper()) == key
    assert read_key(text) == read_key(base64.urlsafe_b64encode(key).decode()) == key


@given(st.text(max_size=80))
def test_any_other_text_is_refused_without_being_shown(text: str) -> None:
    try:
        assert len(read_key(text)) in LENGTHS
    except EncryptionKeyInvalid as error:
        assert error.remedy
        assert len(text) < 12 or text not in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "correcthorsebatterystaplecorrect",
        "0" * 32,
        "AAAAAAAAAAAAAAAAAAAAAA==",
        base64.b64encode(bytes(range(1, 161, 8))).decode(),
        bytes(range(3, 251, 8)).hex(),
        "sixteen letters!",
    ],
)
def test_a_weak_key_or_one_of_a_wrong_length_is_refused(text: str) -> None:
    with pytest.raises(EncryptionKeyInvalid, match="openssl rand"):
        read_key(text)


def test_the_key_comes_from_the_variable_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert key_of(None) is None
    monkeypatch.delenv("THE_KEY", raising=False)
    with pytest.raises(EncryptionKeyInvalid, match="not set"):
        key_of("THE_KEY")
    monkeypatch.setenv("THE_KEY", f" {KEY.hex()}\n")
    assert key_of("THE_KEY") == KEY


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner, max_size=3),
)


@settings(deadline=None)  # the first example imports the cipher
@given(values, keys)
def test_what_is_encrypted_comes_back_with_its_key_only(value: Any, key: bytes) -> None:
    kind, data = ThreadSerializer(key).dumps_typed(Sealed(value))
    assert kind.endswith("+aes")
    assert ThreadSerializer(key).loads_typed((kind, data)) == value
    for wrong in (bytes(byte ^ 1 for byte in key), None):
        with pytest.raises(CheckpointEncrypted):
            ThreadSerializer(wrong).loads_typed((kind, data))
    with pytest.raises(CheckpointEncrypted):
        ThreadSerializer(key).loads_typed((kind, data[:-1] + bytes([data[-1] ^ 1])))
    assert ThreadSerializer(key).loads_typed(ThreadSerializer(None).dumps_typed(value)) == value


@pytest.mark.parametrize("key", [KEY, None])
async def test_no_secret_of_a_run_is_in_the_files_of_an_encrypted_database(
    tmp_path: Path, key: bytes | None
) -> None:
    place = tmp_path / "c.sqlite"
    async with open_checkpointer(place, 1.0, key=key) as saver:
        # While it is open, the write-ahead log is there as well.
        await run_secretly(saver)
        written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    written += b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert len(written) > 20_000
    assert [secret for secret in SECRETS if secret.encode() in written] == ([] if key else SECRETS)


@pytest.mark.parametrize("wrong", [OTHER, KEY[:16], None])
async def test_a_database_tells_a_wrong_or_missing_key_before_anything_is_written(
    tmp_path: Path, wrong: bytes | None
) -> None:
    place = tmp_path / "c.sqlite"
    async with open_checkpointer(place, 1.0, key=KEY) as saver:
        await run_secretly(saver)
    with pytest.raises(CheckpointEncrypted) as told:
        async with open_checkpointer(place, 1.0, key=wrong):
            pytest.fail("it was opened")
    assert "encryption_key_env" in told.value.remedy
    async with open_checkpointer(place, 1.0, key=KEY) as saver:
        found = await saver.aget_tuple(THREAD)
    assert found is not None and found.checkpoint["channel_values"]["goal"] == SECRETS[0]


async def test_a_key_can_be_given_to_a_database_that_has_none(tmp_path: Path) -> None:
    place = tmp_path / "c.sqlite"
    async with open_checkpointer(place, 1.0) as saver:
        await run_secretly(saver, "before")
    async with open_checkpointer(place, 1.0, key=KEY) as saver:
        await run_secretly(saver, "after")
        for thread in ("before", "after"):
            config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
            found = await saver.aget_tuple(config)
            assert found is not None and found.checkpoint["channel_values"]["goal"] == SECRETS[0]
    types = sqlite3.connect(place).execute("SELECT DISTINCT thread_id, type FROM checkpoints ORDER BY 1")
    assert types.fetchall() == [("after", "msgpack+aes"), ("before", "msgpack")]
    types.connection.close()
    with pytest.raises(CheckpointEncrypted):
        async with open_checkpointer(place, 1.0):
            pytest.fail("from now on, nothing is written in the clear")


async def test_the_settings_name_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY.hex())
    settings = Settings(checkpoints=CheckpointSettings(encryption_key_env="THE_KEY"))
    async with open_project_checkpointer(tmp_path, settings) as saver:
        await run_secretly(saver)
    with pytest.raises(CheckpointEncrypted):
        async with open_project_checkpointer(tmp_path, Settings()):
            pytest.fail("it was opened")


async def test_without_the_package_there_is_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Crypto", None)
    monkeypatch.setitem(sys.modules, "Crypto.Cipher", None)
    with pytest.raises(MemoryPackageMissing, match=r"pip install 'reflective-graph\[encryption\]'"):
        async with open_checkpointer(tmp_path / "c.sqlite", 1.0, key=KEY):
            pytest.fail("it was opened")
