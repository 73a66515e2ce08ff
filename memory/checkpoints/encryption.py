"""The key threads are encrypted with: read from a variable, never from a settings file, never shown.

A key is 16, 24 or 32 random bytes (AES-128, -192, -256), written as hexadecimal digits or base64. Words are
refused: sixteen typed letters are no key.
"""

from __future__ import annotations

import base64
import binascii
import os
import re

from memory.errors import EncryptionKeyInvalid

LENGTHS = (16, 24, 32)
LEAST_DISTINCT = 8
"""Different bytes a key has at least: sixteen random ones have fewer once in 10^9 keys."""

_HEX = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{48}|[0-9a-f]{64})", re.IGNORECASE)
_HOW = "Make one with `openssl rand -base64 32`, and keep it: without it the threads cannot be read."


def key_of(variable: str | None) -> bytes | None:
    """The key in a variable of the environment; None without a variable.

    Raises:
        EncryptionKeyInvalid: the variable is not set, or holds no good key.
    """
    if variable is None:
        return None
    text = os.environ.get(variable, "").strip()
    if not text:
        raise EncryptionKeyInvalid(
            "The variable that `checkpoints.encryption_key_env` names is not set.",
            f"Put the key into it. {_HOW}",
        )
    return read_key(text)


def read_key(text: str) -> bytes:
    """The bytes of a key that is written in hexadecimal digits or base64 (either alphabet).

    Raises:
        EncryptionKeyInvalid: it is neither, of a wrong length, or too regular to be random.
    """
    if _HEX.fullmatch(text):
        key = bytes.fromhex(text)
    else:
        try:
            key = base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
        except (binascii.Error, ValueError) as error:
            raise EncryptionKeyInvalid(
                "The encryption key is neither hexadecimal nor base64.", _HOW
            ) from error
        if text in (text.lower(), text.upper()):
            raise EncryptionKeyInvalid("The encryption key looks like words, not like random bytes.", _HOW)
    if len(key) not in LENGTHS:
        raise EncryptionKeyInvalid(f"The encryption key has {len(key)} bytes; AES takes 16, 24 or 32.", _HOW)
    if len(set(key)) < LEAST_DISTINCT:
        raise EncryptionKeyInvalid("The encryption key repeats itself, so it is easily guessed.", _HOW)
    return key
