"""The judge of replies: right ones pass however they are worded, all others do not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.contractive.checking import judged
from evals.contractive.checks import ItemsCheck, NumberCheck, OneOfCheck, Task
from evals.contractive.echoes import echoes, options
from evals.contractive.task_files import tasks
from tests.evals.contractive.wordings import wordings

TASKS = tasks()
EACH = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


@EACH
def test_the_right_answer_passes_however_it_is_worded(task: Task) -> None:
    replies = [*wordings(task.answer), *task.said]
    assert len(replies) >= 14
    assert {reply: judged(task, reply).reason for reply in replies if not judged(task, reply).right} == {}


@EACH
def test_a_wrong_answer_does_not(task: Task) -> None:
    replies = [*wordings(task.wrong), *task.missed]
    assert [reply for reply in replies if judged(task, reply).right] == []
    assert all(judged(task, reply).answered for reply in task.missed)


@EACH
def test_echoes_options_guesses_and_nothing_score_nothing(task: Task) -> None:
    assert [reply for reply in echoes(task) if judged(task, reply).right] == []


@EACH
def test_two_answers_beside_each_other_decide_nothing(task: Task) -> None:
    one, other = (f"{task.answer}", f"{task.wrong}")
    if isinstance(task.check, ItemsCheck):
        other = options(task)[-1]
    for reply in (
        f"{one} or {other}",
        f"{other} or {one}",
        f"Answer: {one}\nAnswer: {other}",
        f"{one}\n{other}",
    ):
        assert not judged(task, reply).right, reply


@settings(max_examples=40)
@given(st.data())
def test_no_part_of_a_task_is_an_answer_to_it(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from(list(TASKS.values())))
    words = f"{task.context} {task.question}".split()
    start = data.draw(st.integers(0, len(words) - 4))
    end = data.draw(st.integers(start + 6, max(start + 6, len(words))))
    reply = " ".join(words[start:end])
    form = data.draw(st.sampled_from(["{}", "Question: {}\nAnswer:", "**{}**", "{}\n{}"]))
    assert not judged(task, form.format(reply, reply)).right


@settings(max_examples=40)
@given(st.data())
def test_a_number_is_right_only_if_it_is_the_number(data: st.DataObject) -> None:
    amounts = [task for task in TASKS.values() if isinstance(task.check, NumberCheck)]
    task = data.draw(st.sampled_from(amounts))
    assert isinstance(task.check, NumberCheck)
    value = task.check.value
    other = data.draw(
        st.one_of(
            st.sampled_from([value + 0.5, value - 0.5, value * 10, value / 10, -value, value + 1, value - 1]),
            st.decimals(0, 10_000, places=2).map(float).filter(lambda one: abs(one - value) > 1e-6),
        )
    )
    told = f"{other:g}" if data.draw(st.booleans()) else f"{other:.2f}"
    assert not judged(task, data.draw(st.sampled_from(wordings(told)))).right


@settings(max_examples=40)
@given(st.data())
def test_any_item_left_out_or_put_in_is_wrong(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from([one for one in TASKS.values() if isinstance(one.check, ItemsCheck)]))
    assert isinstance(task.check, ItemsCheck)
    every = options(task)
    wanted = {item[0] for item in task.check.right}
    chosen = data.draw(st.sets(st.sampled_from(every), min_size=1))
    order = data.draw(st.permutations(sorted(chosen)))
    joined = data.draw(st.sampled_from([", ", " and ", "\n- "]))
    reply = ("- " if joined == "\n- " else "") + joined.join(order)
    assert judged(task, reply).right == (chosen == wanted)


@settings(max_examples=40)
@given(st.data())
def test_the_right_option_beside_another_is_undecided(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from([one for one in TASKS.values() if isinstance(one.check, OneOfCheck)]))
    assert isinstance(task.check, OneOfCheck)
    decoy = data.draw(st.sampled_from([one for one in task.check.decoys if one.lower() != "yes"]))
    form = data.draw(
        st.sampled_from(["{0} or {1}", "{1} or {0}", "{0}/{1}", "either {1} or {0}", "{0}, {1}"])
    )
    assert not judged(task, form.format(task.answer, decoy)).right
    assert judged(task, f"Not {decoy}, but {task.answer}.").right


@pytest.mark.parametrize(
    ("name", "reply", "right"),
    [
        ("regulation-05", "The film is not safe.", True),
        ("regulation-05", "The film is safe.", False),
        ("regulation-05", "It is not true that the film is unsafe.", False),
        ("maths-05", "22.5", True),
        ("maths-05", "22", False),
        ("maths-05", "approximately 22.5 minutes", True),
        ("maths-05", "more than 22.5 minutes", False),
        ("maths-01", "9 bags with 0 rolls left over", True),
        ("maths-01", "54/6", False),
        ("maths-01", "8-9", False),
        ("maths-01", "-9", False),
        ("maths-02", "2.5 hours", True),
        ("maths-02", "2.5", False),
        ("maths-02", "150 km", False),
        ("maths-04", "I first said 100. Wait, that counts them twice. The answer is 75.", True),
        ("maths-04", "The answer is 100. Wait, I made a mistake. The answer is 75.", True),
        ("maths-04", "The answer is 75. Wait, I made a mistake. The answer is 100.", False),
        ("code-02", "best = 0", True),
        ("code-02", "`best = 0`", True),
        ("code-02", "best = value", False),
        ("code-05", "Line 8, not line 6.", True),
        ("general-05", "1:15 am", True),
        ("general-05", "11:15", False),
        ("general-05", "1:15 pm", False),
        ("general-03", "The day before is Tuesday, the 29th of February, 2028.", True),
        ("general-03", "29.02.2028", True),
        ("general-03", "02/29/2028", True),
        ("regulation-03", "05/06/2024", False),
        ("science-01", "It doesn't fall.", False),
        ("science-01", "It neither rises nor stays the same; it falls.", True),
        ("science-03", "He says that chlorine and argon are gases.", False),
        ("reasoning-02", "It doesn't follow.", True),
        ("regulation-01", "There is no muzzle.", False),
        ("regulation-02", "5,50 €", True),
        ("regulation-02", "550 cents", True),
    ],
)
def test_what_is_exact_and_what_is_not(name: str, reply: str, right: bool) -> None:
    assert judged(TASKS[name], reply).right is right, judged(TASKS[name], reply).reason


@settings(max_examples=40)
@given(st.sampled_from(list(TASKS.values())), st.text())
def test_any_text_can_be_judged(task: Task, reply: str) -> None:
    found = judged(task, reply)
    assert found.right == (not found.reason) and 0 <= found.keywords <= len(task.keywords)


REPLIES = yaml.safe_load((Path(__file__).parent / "replies.yaml").read_text("utf-8"))


@pytest.mark.parametrize("told", REPLIES, ids=[f"{place}-{one['task']}" for place, one in enumerate(REPLIES)])
def test_replies_as_larger_models_write_them(told: dict[str, Any]) -> None:
    found = judged(TASKS[told["task"]], told["reply"])
    assert found.right is told["right"], found.reason


def test_the_same_replies_with_the_wrong_answer_in_its_place_do_not_pass() -> None:
    tried = 0
    for told in REPLIES:
        task = TASKS[told["task"]]
        right, wrong = task.answer.split()[0], task.wrong.split()[0]
        reply = re.sub(rf"(?<![\w.]){re.escape(right)}(?!\w|[.,]\d)", wrong, told["reply"])
        # Where an answer has several names, another of them may stand beside the one that is replaced.
        named_once = isinstance(task.check, NumberCheck) or task.id in (
            "code-03",
            "general-01",
            "reasoning-01",
        )
        if told["right"] and named_once and "nine" not in reply:
            tried += reply != told["reply"]
            assert reply == told["reply"] or not judged(task, reply).right, reply
    assert tried >= 30


def test_keywords_are_found_in_the_reply_itself_and_not_in_the_question_it_repeats() -> None:
    task = TASKS["science-05"]
    assert judged(task, "40 units are left.").keywords == 2
    assert judged(task, f"{task.question}\n140").keywords == 0
    assert judged(TASKS["general-05"], "It is 1:15.").keywords == 1


def test_no_judge_asks_the_product_whether_two_answers_are_one() -> None:
    folder = Path(__file__).parents[3] / "evals" / "contractive"
    names = ("checking", "deciding", "echoing", "mentions", "amounts", "days")
    imported = "\n".join((folder / f"{name}.py").read_text("utf-8") for name in names)
    assert not re.search(
        r"contractive\.(?:equivalence|clusters|distance|entailment|reading\.rules)", imported
    )
