"""Names of models: provider:model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast, get_args

from models.errors import ModelIdInvalid

Provider = Literal["ollama", "embedded", "openai", "scripted"]
SHIPPED = "gemma-3-270m"


@dataclass(frozen=True)
class ModelId:
    """A provider and the provider's own name of the model; `str()` gives the text back."""

    provider: Provider
    name: str

    @classmethod
    def parse(cls, text: str) -> ModelId:
        """Read "ollama:qwen2.5:7b", "embedded", "embedded:/path/x.gguf", "openai:name" or "scripted:file".

        Raises:
            ModelIdInvalid: another provider, or no name.
        """
        provider, _, name = text.strip().partition(":")
        if text.strip() == "embedded":
            name = SHIPPED
        name = name.strip()
        if provider not in get_args(Provider) or not name or not name.isprintable():
            raise ModelIdInvalid(
                f"{text!r} names no model.",
                "Write ollama:NAME, embedded (or embedded:FILE.gguf), openai:NAME or scripted:FILE.yaml.",
            )
        return cls(cast(Provider, provider), name)

    def __str__(self) -> str:
        """The text that `parse` reads."""
        return f"{self.provider}:{self.name}"
