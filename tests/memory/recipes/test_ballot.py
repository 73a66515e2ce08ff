"""The vote of labelled exemplars, and what of it ships with the package."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory.recipes.ballot import Electorate, digest, enrol, load, save, shipped_file, vote
from memory.recipes.exemplars import LABELS, LANGUAGES, Exemplar, load_exemplars
from models.embeddings import Embedder
from models.multilingual_embeddings import E5Embedder, missing_for_e5

needs_e5 = pytest.mark.skipif(missing_for_e5() is not None, reason=str(missing_for_e5()))
SHIPPED = ("multilingual-e5-small-q4", "minilm-l6-v2-int8")


def crowd(seed: int, labels: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Vectors of four far-apart kinds, one a label, with noise; marks that say nothing."""
    chance = np.random.default_rng(seed)
    corners = np.eye(8, dtype=np.float32)[[(*LABELS, "tool").index(label) for label in labels]]
    noisy = corners + chance.normal(0, 0.05, corners.shape)
    vectors = noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
    return vectors.astype(np.float32), np.zeros((len(labels), 2), np.float32)


@pytest.fixture
def electorate() -> Electorate:
    labels = [*LABELS, "tool"] * 8
    return enrol(labels, *crowd(1, labels))


def test_a_goal_gets_the_label_of_the_exemplars_it_resembles(electorate: Electorate) -> None:
    votes = electorate.votes(*crowd(2, LABELS))
    assert votes[0, 0] > 0 and (votes[1:, 0] < 0).all()
    assert [int(row[1:].argmax()) for row in votes[1:]] == [0, 1, 2]


def test_an_exemplar_of_no_size_speaks_against_bypass_and_for_no_size(electorate: Electorate) -> None:
    tool = np.arange(len(electorate.weights)) % 5 == 4
    assert (electorate.weights[tool, 1:] == 0).all() and (electorate.weights[tool, 0] != 0).all()


def test_what_is_saved_votes_the_same(electorate: Electorate, tmp_path: Path) -> None:
    save(electorate, tmp_path / "kept.npz", "identity")
    again = load(tmp_path / "kept.npz", "identity")
    assert again is not None
    goals = crowd(3, LABELS)
    assert np.abs(again.votes(*goals) - electorate.votes(*goals)).max() < 0.02


@pytest.mark.parametrize("damage", ["other identity", "cut", "missing"])
def test_what_was_computed_from_something_else_is_not_used(
    electorate: Electorate, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "kept.npz"
    if damage != "missing":
        save(electorate, path, "identity")
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:200])
    assert load(path, "changed" if damage == "other identity" else "identity") is None


@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_was_computed_from_the_exemplars_as_they_are(name: str) -> None:
    exemplars = load_exemplars()
    shipped = load(shipped_file(name), digest(exemplars, name))
    assert shipped is not None, "run python -m evals.fit_exemplars"
    assert len(shipped.weights) == len(exemplars)


def test_an_exemplar_or_a_model_that_changes_changes_the_digest() -> None:
    exemplars = list(load_exemplars())
    before = digest(exemplars, "a")
    assert digest(exemplars, "b") != before
    assert digest([*exemplars, Exemplar("one more", "simple", "en")], "a") != before


def test_every_language_has_exemplars_of_every_label_and_none_has_two() -> None:
    shipped = [exemplar for exemplar in load_exemplars() if exemplar.label != "tool"]
    for language in LANGUAGES:
        labels = [exemplar.label for exemplar in shipped if exemplar.language == language]
        assert all(labels.count(label) >= 20 for label in LABELS), language
    goals = [(exemplar.language, exemplar.goal) for exemplar in shipped]
    assert len(set(goals)) == len(goals)


@needs_e5
@pytest.mark.parametrize(
    ("talk", "look"),
    [
        ("what does grep do", "what does this grep call in run.sh do"),
        ("how many days are in a leap year", "how many lines are in year.txt"),
        ("explique la récursivité", "explique la récursivité de ce module, ligne par ligne"),
        ("was ist ein ordner", "was liegt im ordner bilder"),
        ("¿qué es un commit?", "¿de quién es el último commit?"),
        ("cos'è un branch", "in che branch siamo"),
        ("什么是日志", "日志里有多少个错误"),
    ],
)
def test_a_notion_and_a_look_are_told_apart(talk: str, look: str) -> None:
    talked, looked = vote([talk, look], E5Embedder())
    assert talked.bypass > 0.8 and looked.bypass < 0.2


@needs_e5
def test_what_cannot_be_read_harms_nothing() -> None:
    embedder: Embedder = E5Embedder()
    assert embedder.embed([]).shape == (0, 384)
    odd = embedder.embed(["", "\0", "\ud800", "a\0b", "😀" * 50, "\u202eabc"])
    assert odd.shape == (6, 384) and np.isfinite(odd).all()
    assert vote([], embedder) == []
