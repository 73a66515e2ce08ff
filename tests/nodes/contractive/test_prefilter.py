"""Answers far apart as vectors are no model's business; near ones are nobody's but the model's."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.entailment import load_entailment, parse_entailment
from configs.errors import SettingsError
from models.embeddings import Vectors
from nodes.contractive.prefilter import can_be_placed, far_apart


class Turned:
    """Vectors in the plane, each text's at its own angle."""

    dimension = 2

    def __init__(self, name: str, angles: dict[str, float]) -> None:
        self.name = name
        self.angles = angles
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        turned = [self.angles[text] for text in texts]
        return np.array([(np.cos(one), np.sin(one)) for one in turned], np.float32).reshape(-1, 2)


ONE, OTHER = "an iceberg tore the hull", "fire broke out below deck"


@given(st.floats(0, np.pi), st.floats(0.01, 0.99))
def test_only_what_lies_below_the_cosine_is_far_apart(angle: float, unlike: float) -> None:
    near = float(np.float32(np.cos(angle)))
    if abs(near - unlike) > 1e-5:
        turned = Turned("any", {ONE: 0.0, OTHER: angle})
        assert far_apart([(ONE, OTHER)], turned, unlike) == [near < unlike]


@pytest.mark.parametrize("name", sorted(load_entailment().unlike))
def test_the_measured_cosine_holds_by_default(name: str) -> None:
    unlike = load_entailment().unlike[name]
    for cosine, far in ((unlike - 0.02, True), (unlike + 0.02, False)):
        assert far_apart([(ONE, OTHER)], Turned(name, {ONE: 0.0, OTHER: float(np.arccos(cosine))})) == [far]


def test_of_an_embedder_nobody_measured_nothing_is_far_apart() -> None:
    unknown = Turned("unknown", {ONE: 0.0, OTHER: 3.0})
    assert far_apart([(ONE, OTHER)], unknown) == [False] and not unknown.embedded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("No", "The test failed again"),
        ("It does", OTHER),
        ("42", "the answer is forty two"),
        ("電線短路引起火災", "a short circuit in the wiring"),
    ],
)
def test_a_word_beside_a_sentence_or_another_script_cannot_be_placed(one: str, other: str) -> None:
    assert not can_be_placed(one, other) and not can_be_placed(other, one)
    assert far_apart([(one, other)], Turned("any", {one: 0.0, other: 3.0}), 0.9) == [False]


def test_a_table_that_is_none_is_refused() -> None:
    for text in ("unlike: {minilm: 1.5}", "unlike: [", "other: 1"):
        with pytest.raises(SettingsError, match="figures of entailment"):
            parse_entailment(text)
