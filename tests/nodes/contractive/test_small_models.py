"""Ways small models write that once were misread, in other words than those of the labelled sets."""

from itertools import combinations

import pytest

from nodes.contractive.answers import short_answer
from nodes.contractive.clusters import clusters, compared


def partition(question: str, *samples: str) -> list[tuple[int, ...]]:
    answers = [short_answer(sample, question) for sample in samples]
    return sorted(one.members for one in clusters(answers, compared(question, answers)))


@pytest.mark.parametrize(
    ("question", "samples"),
    [
        ("How many metres are in a mile?", ["A mile has 1,609 m (1 m x 1609).", "1609 m", "$1{,}609$ m"]),
        ("How many hours is 90 minutes?", ["90 minutes is 1.5 hours.", "1.5 h"]),
        ("What is the sum of 4 and 9?", ["13", "The sum of these two numbers is 13."]),
        ("Wann war das Treffen?", ["Am 3. März 2021.", "3.3.2021", "Es war am 3. März 2021."]),
        ("比賽在哪一天？", ["2023年7月4日", "比賽在 2023 年 7 月 4 日舉行。"]),
        ("What is the circumference?", ["4π", "4π cm, approximately 12.57 cm", "C = 2πr ≈ 12.57 cm"]),
        ("Is it safe to drink?", ["No.", "Drinking it isn't safe since it was stored without a lid."]),
        ("What does it cost?", ["Es kostet 24,50 €.", "€24.50", "24.5 EUR"]),
        ("What does it cost?", ["2.300,75 €", "2300.75 EUR"]),
        ("When did the shop open?", ["In May 2011", "05/2011", "The shop opened in May 2011."]),
        ("Who is the treasurer?", ["Ann Miller", "Ann", "Ann Miller is the treasurer."]),
        ("Kim is older than Lee. Who is the oldest?", ["Kim", "Kim > Lee, so Kim is the oldest."]),
        ("What is the speed?", ["50 km/h", "The speed is 50 km/h. This means it covers 50 km in 1 h."]),
        ("Which of 4, 7 and 9 are prime?", ["7", "Only 7 is prime.", "- 4: no\n- 9: 3 x 3\n\nSo only 7."]),
        ("Which is larger, 3.12 or 3.9?", ["3.9", "3.9 is larger because 0.90 is more than 0.12."]),
        ("Are there any errors?", ["No", "None were found.", "There are no errors."]),
        ("Which code means not found?", ["404", "The code that means not found is 404."]),
        ("What is the fax number?", ["There is no fax number given in the letter.", "I don't know."]),
        ("Wie viele Menschen leben dort?", ["Dort leben 3.400 Menschen.", "3400", "3,4 Tsd."]),
        ("Wie hoch war der Gewinn 2021?", ["Der Gewinn lag 2021 bei 7,5 Mrd. Euro.", "7,5 Milliarden €"]),
        ("What is the median of 8, 2 and 5?", ["Sort the numbers: 2, 5, 8.\nThe middle one is 5.", "5"]),
        ("When was it sent?", ["04/05/2022", "4 May 2022", "It was sent on May 4, 2022."]),
        ("Which river has the largest basin?", ["The Amazon has the largest basin.", "Amazon"]),
        (
            "What are the two parts?",
            ["**Roots** - below\n**Stems** - above", "Root and stem", "stems, roots"],
        ),
        ("Is the flag needed?", ["It is unneeded.", "No, the flag is not needed."]),
        ("How high is the limit?", ["No limit is given in the contract.", "The limit isn't specified."]),
        ("Wie hoch ist die Miete?", ["Der Vertrag enthält keine Angaben zur Miete.", "Ich weiß es nicht."]),
        ("Which gate is it?", ["The letter does not state a gate.", "I have no access to live data."]),
        ("Is the price rising or falling?", ["Falling", "It is falling by one euro a day."]),
        ("How much charge does it hold?", ["2500 mAh", "2.5 Ah"]),
        ("誰發明了活字印刷？", ["畢昇", "北宋工匠畢昇", "畢昇發明的"]),
    ],
)
def test_one_answer(question: str, samples: list[str]) -> None:
    assert partition(question, *samples) == [tuple(range(len(samples)))]


@pytest.mark.parametrize(
    ("question", "samples"),
    [
        (
            "How many seconds are in an hour?",
            ["3,600 seconds in an hour (60 x 60)", "600 seconds in an hour"],
        ),
        ("Is the server running?", ["The server is stopped.", "Yes"]),
        ("Ist das erlaubt?", ["Das ist verboten.", "Ja, das ist erlaubt."]),
        ("Is 57 prime, and what is its smallest factor?", ["No, it is 3.", "No, it is 19."]),
        ("Which is larger, 3.12 or 3.9?", ["3.9 is larger.", "3.12 is larger than 3.9."]),
        ("What is the serial number?", ["XK-2210", "XK-2201", "It is XK-2012."]),
        ("Which code means not found?", ["404", "The code that means not found is 410."]),
        (
            "Kim is older than Lee. Who is the oldest?",
            ["Lee is the oldest.", "Kim > Lee, and Kim is the oldest."],
        ),
        ("What is the symbol of sodium?", ["Na", "N/A", "So"]),
        ("What does it cost?", ["24,50 €", "2450 €"]),
        ("When was it sent?", ["04/05/2022", "4 June 2022"]),
        ("Why was it rejected?", ["The letter does not state a reason for leave.", "I don't know."]),
        ("Is the price rising or falling?", ["Falling", "It is rising by one euro a day."]),
        ("Is the limit specified?", ["It is not specified.", "Yes, it is specified."]),
        ("Wie viele Menschen leben dort?", ["3.400", "3,4", "34.000"]),
        ("這種藥安全嗎？", ["不安全", "安全"]),
    ],
)
def test_different_answers(question: str, samples: list[str]) -> None:
    found = partition(question, *samples)
    for one, other in combinations(range(len(samples)), 2):
        assert not any(one in members and other in members for members in found)
