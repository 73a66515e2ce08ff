"""How states become bytes: JSON types only, encrypted if there is a key, with errors a person can act on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from memory.errors import CheckpointEncrypted, MemoryPackageMissing

CANARY = "reflective-graph"


@dataclass(frozen=True)
class Sealed:
    """A value that is to be written as bytes, however simple it is; it is read as the value."""

    value: Any


class ThreadSerializer(SerializerProtocol):
    """LangGraph's serializer with strict msgpack: only JSON types and those LangGraph lists are rebuilt.

    What is encrypted carries its cipher behind a `+` in its type, so what was written before there was a key
    can still be read.

    Args:
        key: 16, 24 or 32 bytes, or None to write in the clear.

    Raises:
        MemoryPackageMissing: there is a key and no pycryptodome.
    """

    def __init__(self, key: bytes | None) -> None:
        plain = JsonPlusSerializer(allowed_msgpack_modules=None)
        self._serde: SerializerProtocol = plain
        self._has_key = key is not None
        if key is None:
            return
        try:
            self._serde = EncryptedSerializer.from_pycryptodome_aes(plain, key=key)
        except ImportError as error:
            raise MemoryPackageMissing(
                "Threads cannot be encrypted: pycryptodome is not installed.",
                "pip install 'reflective-graph[encryption]'",
            ) from error

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Write a value; returns its type and its bytes."""
        return self._serde.dumps_typed(obj.value if isinstance(obj, Sealed) else obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Read a value back.

        Raises:
            CheckpointEncrypted: it is encrypted, and the key is another one or missing.
        """
        encrypted = "+" in data[0]
        if not encrypted:
            return self._serde.loads_typed(data)
        if not self._has_key:
            raise CheckpointEncrypted(
                "The threads kept here are encrypted, and no key is set.",
                "Name the variable that holds the key in `checkpoints.encryption_key_env`.",
            )
        try:
            return self._serde.loads_typed(data)
        except (ValueError, AssertionError) as error:
            # AES in EAX mode verifies what it decrypts: a wrong key cannot give a wrong state.
            raise CheckpointEncrypted(
                "The threads kept here do not fit the key: it is another one, or they were altered.",
                "Put the key they were written with into the variable of `checkpoints.encryption_key_env`.",
            ) from error
