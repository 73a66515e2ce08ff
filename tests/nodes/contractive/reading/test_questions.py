"""What a question asks for, and which numbers, formulas and names it holds."""

import pytest

from nodes.contractive.reading.frames import changed_places, other_words
from nodes.contractive.reading.questions import asking, facts, read
from nodes.contractive.reading.wants import asks, other_thing, wants


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How heavy is ice?", "weight"),
        ("Was wiegt ein Liter Öl?", "weight"),
        ("這塊鐵的重量是多少？", "weight"),
        ("Why did it fall?", "reason"),
        ("Woran kann das liegen?", "reason"),
        ("Is ice heavy?", "yes_no"),
        ("If it rains, is the match off?", "yes_no"),
        ("Ist Schokolade giftig?", "yes_no"),
        ("这种药能不能和酒一起喝？", "yes_no"),
        ("Find out whether it floats.", "yes_no"),
        ("14 weeks are how many days?", "count"),
        ("Was begrenzt die Tiefe?", "depth"),
        ("By whom was it written?", "person"),
        ("How do bees fly?", "way"),
        ("Which city is it?", "which"),
        ("What is entropy?", "open"),
        ("Is it the bus or the tram?", "either"),
    ],
)
def test_what_is_asked_for(question: str, wanted: str) -> None:
    assert wanted in wants(question)


def test_what_may_be_one_thing_is_not_set_apart() -> None:
    assert not other_thing("How many euros is it?", "What does it cost?")
    assert not other_thing("Which candidate won?", "Who of the candidates won?")
    assert other_thing("How long is the wait?", "Why is there a wait?")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What is ice?", True),
        ("Convert 5 miles to kilometres", True),
        ("Prüfe die Rechnung", True),
        ("找出原因", True),
        ("12 * 7", True),
        ("height of the tower", True),
        ("The tower is high.", False),
        ("Bananas", False),
        ("冰很重。", False),
        ("Delete every file", False),
    ],
)
def test_what_asks(text: str, told: bool) -> None:
    assert asks(text) is told


def test_facts_are_read() -> None:
    one = facts(
        "Please tell me: how many of the three NATO members pay 2,000 euros, at least 2 % of 3x + 5 = 20?"
    )
    assert {plain for _, _, plain in one.amounts} >= {2000.0, 2.0}
    assert one.bounds == {"min"} and "nato" in one.names and any("3x+5=20" in f for f in one.formulas)
    assert facts("Ist das Haus groß?").names == frozenset()
    assert facts("Is it the red tram or the bus?").alternatives is not None
    assert facts("一天有幾個小時？").amounts == frozenset()


def test_words_around_a_question_are_left_out() -> None:
    assert read("To begin with: what is ice?").canonical == read("What is ice").canonical
    assert read("Given 3 apples: what is left?").text.startswith("Given 3")
    assert asking("It rains. Is it cold? Say yes.") == "Is it cold?"
    assert read("").words == ()


def test_places_are_changed_only_by_a_swap() -> None:
    def swapped(one: str, other: str) -> bool:
        return changed_places(read(one).words, read(other).words)

    assert swapped("from HTTP to HTTPS", "from HTTPS to HTTP")
    assert not swapped("Is tea or milk hot?", "Is milk or tea hot?")
    assert not swapped("Ist Salz giftig für Hunde?", "Ist Salz für Hunde giftig?")


def test_what_stands_for_what() -> None:
    put, frame = other_words(read("Who wrote the letter?").words, read("Who read the letter?").words)
    assert put == "wrote stands for read" and frame == pytest.approx(0.75)
    assert other_words(read("Which city is the capital?").words, read("What is the capital?").words)[0] == ""
    assert other_words(("a",), ("b",)) == ("", 0.0)
