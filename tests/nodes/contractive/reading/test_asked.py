"""What is told before a question does not decide what it asks for."""

import pytest

from nodes.contractive.reading.asked import asked


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "Four talks, on bees and coins, are given in turn. Coins is not first. Which talk is second?",
            "open",
        ),
        ("Each brings either bread or cheese. Cy brings cheese. Who brings bread? Give all names.", "who"),
        ("Each brings either bread or cheese. Who is first, Ann or Ben?", "either"),
        ("Who is taller, Ann or Ben?", "either"),
        ("All boxes are locked. Does it follow that one is empty? Answer yes or no.", "yes_no"),
        ("The shop has bread. Is it open?", "yes_no"),
        ("If it rains, is the road wet?", "yes_no"),
    ],
)
def test_the_sentence_that_asks_decides(question: str, wanted: str) -> None:
    assert asked(question).wanted == wanted
