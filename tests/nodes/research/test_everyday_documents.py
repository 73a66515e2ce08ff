"""Questions about small folders of documents as people keep them: an answer, or nothing."""

import pytest

from nodes.research.extract import by_facet
from nodes.research.state import Source

DOCS: dict[str, tuple[str, str, str | None]] = {
    "readme.md": (
        "parsekit README",
        "# parsekit\n\nparsekit is a small library that parses CSV files.\n\n## Install\n\n"
        "Run `pip install parsekit` to install it. It needs Python 3.10 or newer.\n\n"
        "## License\n\nThe library is released under the MIT license.\n\n## Limits\n\n"
        "- Maximum file size: 2 GB\n- Threads: 4\n",
        None,
    ),
    "minutes.md": (
        "Minutes of the town council, 12 March 2024",
        "# Town council of Ashby, 12 March 2024\n\nPresent: M. Chen, R. Okafor, L. Diaz.\n\n"
        "## Budget\n\n"
        "The council approved the budget of $4.2 million for 2024 by five votes to two.\n\n"
        "## Library\n\nThe library on Mill Street will close on 1 July for repairs. R. "
        "Okafor voted against it.\n\n## Parking\n\nParking fees stay at $2 an hour.\n",
        "2024-03-12",
    ),
    "meeting.txt": (
        "team sync",
        "Team sync 2024-05-02\nAttendees: Ana, Bo, Priya\n- Release 2.4 is moved to 20 May\n"
        "- Bo will fix the login bug\n- Next meeting: 9 May at 10:00\n"
        "- Budget for tooling: 3,000 euros\n",
        "2024-05-02",
    ),
    "news1.md": (
        "Hartwell Foods expands",
        "Hartwell Foods said on Tuesday that it would build a second plant in Dorset. "
        "The company employs 1,200 people. Its revenue rose 8% to £310 million in 2023. "
        "Rival Benson Foods employs 900 people and had revenue of £150 million in 2023.",
        "2024-02-01",
    ),
    "news2.md": (
        "Benson Foods",
        "Benson Foods opened its Leeds depot on 3 June 2022. It delivers to 400 shops.",
        "2022-06-04",
    ),
    "zh1.md": (
        "青田社區發展協會會議紀錄",
        "# 青田社區發展協會 113年4月會議紀錄\n\n出席：王小明、李雅婷、陳大同\n\n"
        "一、決議通過中秋活動預算新台幣12萬元。\n二、社區圖書室自5月1日起每週三休館。\n"
        "三、下次會議訂於6月5日晚上7點。\n",
        "2024-04-10",
    ),
    "zh2.md": (
        "大安銀行公布財報",
        "大安銀行公布2023年財報，稅後淨利為新台幣85億元，年增12%。該行全台有132家分行。"
        "同業信義銀行去年稅後淨利則為40億元。",
        "2024-03-01",
    ),
    "faq.md": (
        "Gym FAQ",
        "## Opening hours\n\nThe gym is open from 6:00 to 22:00 on weekdays.\n\n"
        "## Membership\n\nA monthly membership costs 35 dollars. Students pay 25 dollars.\n\n"
        "## Pool\n\nThe pool is closed in August.\n",
        None,
    ),
}
SOURCES = [
    Source(number=n, url=url, name=name, date=day) for n, (url, (name, _, day)) in enumerate(DOCS.items(), 1)
]
TEXTS = {n: text for n, (_, text, _) in enumerate(DOCS.values(), 1)}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("What license does parsekit use?", "MIT license"),
        ("What Python version does parsekit need?", "Python 3.10"),
        ("What is the maximum file size?", "2 GB"),
        ("How large is the budget the council approved for 2024?", "$4.2 million"),
        ("When will the library on Mill Street close?", "1 July"),
        ("What are the parking fees?", "$2 an hour"),
        ("When is the next meeting?", "9 May at 10:00"),
        ("Who will fix the login bug?", "Bo will fix"),
        ("When is release 2.4?", "20 May"),
        ("What is the budget for tooling?", "3,000 euros"),
        ("How many people does Hartwell Foods employ?", "1,200 people"),
        ("How many people does Benson Foods employ?", "900 people"),
        ("What was the revenue of Hartwell Foods in 2023?", "£310 million"),
        ("What was the revenue of Benson Foods in 2023?", "£150 million"),
        ("When did Benson Foods open its Leeds depot?", "3 June 2022"),
        ("中秋活動預算多少？", "12萬元"),
        ("社區圖書室哪一天休館？", "每週三休館"),
        ("下次會議是什麼時候？", "6月5日"),
        ("大安銀行2023年稅後淨利多少？", "85億元"),
        ("信義銀行2023年稅後淨利多少？", "40億元"),
        ("大安銀行有幾家分行？", "132家"),
        ("How much do students pay?", "25 dollars"),
        ("When is the pool closed?", "August"),
    ],
)
def test_what_is_told_is_found_and_nothing_else(query: str, words: str) -> None:
    (found,) = by_facet(query, SOURCES, TEXTS).values()
    assert [words in one.text for one in found] == [True]


@pytest.mark.parametrize(
    "query",
    [
        "Who maintains parsekit?",
        "大安銀行何時公布年報？",
        "How many downloads does parsekit have?",
        "When was the mayor elected?",
        "What was the council budget in 2022?",
        "When is release 3.0?",
        "What was the revenue of Benson Foods in 2021?",
        "How many shops does Hartwell Foods deliver to?",
        "社區巴士何時發車？",
        "信義銀行有幾家分行？",
        "大安銀行2021年稅後淨利多少？",
        "When is the sauna closed?",
        "How much is parking at the gym?",
    ],
)
def test_what_nobody_tells_is_not_answered_with_something_like_it(query: str) -> None:
    assert not any(by_facet(query, SOURCES, TEXTS).values())


def test_what_a_check_did_not_let_pass_is_not_copied_again() -> None:
    query = "When is the pool closed?"
    (found,) = by_facet(query, SOURCES, TEXTS, frozenset({"The pool is closed in August."})).values()
    assert not found
