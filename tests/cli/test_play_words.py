"""Claims, calls and moves in words."""

from typing import Any

import pytest

from cli.play_words import call_words, claim_words, move_words
from nodes.tutor.games.generating import GAMES, generate


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (
            {"predicate": "count", "subject": "*.py", "value": 12, "unit": "lines", "scope": "."},
            "count *.py lines = 12 in .",
        ),
        ({"predicate": "exists", "subject": "a", "value": True, "unit": "file"}, "exists a file"),
        ({"predicate": "greater", "subject": "a", "value": "b", "unit": "files"}, "greater a files > b"),
        (
            {"predicate": "before", "subject": "a:1", "value": "b:2", "scope": "corrected by c.json"},
            "before a:1 b:2 corrected by c.json",
        ),
        (
            {"predicate": "changed_between", "subject": "k", "value": [1, 2], "scope": ["old", "new"]},
            "changed_between k [1, 2] in old -> new",
        ),
        ({"predicate": "count", "open": ["value"], "subject": "a", "unit": "lines"}, "count a lines = ?"),
    ],
)
def test_a_claim_is_one_line(claim: dict[str, Any], words: str) -> None:
    assert claim_words(claim) == words


def test_a_long_value_is_cut() -> None:
    words = claim_words({"predicate": "equals", "subject": "a", "value": "x" * 5000})
    assert len(words) < 500 and words.endswith("…")


@pytest.mark.parametrize("name", GAMES)
def test_every_move_of_a_game_says_what_it_is_about(name: str) -> None:
    for move in generate(name, 1).solution:
        given = move.model_dump(mode="json")
        words = move_words(given)
        assert words.startswith(given["move"])
        for one in (*given.get("evidence", ()), *given.get("claims", ())):
            assert one in words.split()
        request = given.get("request")
        assert request is None or call_words(request) in words


@pytest.mark.parametrize(
    "given", ["prose", None, 3, ["a"], {"move": 3}, {}, {"move": "LINK", "evidence": "o1"}]
)
def test_what_is_no_move_has_words_as_well(given: Any) -> None:
    assert isinstance(move_words(given), str) and move_words(given)
