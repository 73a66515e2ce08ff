"""The thinker whose errors are known: it errs as often as it says, the same for the same seed."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import pytest

from evals.contractive.checking import judged
from evals.contractive.checks import Task
from evals.contractive.noisy import ADVICE, ISSUE, MISLED, RATE, Known, NoisyThinker, asked_in
from evals.contractive.task_files import tasks
from models.scripted import ScriptedChatModel, load_script

TASKS = tasks()
FENCE = "===== 0123456789abcdef ====="


def solve_prompt(task: Task, facts: str = "", fence: str = FENCE) -> str:
    established = f"Established:\n{fence}\n{facts}\n{fence}\n" if facts else ""
    return f"You answer one question.\n{established}Question: {task.question}\nWanted: a number."


def right_of(thinker: NoisyThinker, task: Task, prompt: str, samples: int = 150) -> float:
    said = [thinker.decide_seeded("worker", prompt, seed) for seed in range(samples)]
    return sum(judged(task, reply).right for reply in said) / samples


def test_without_errors_it_is_always_right_and_with_nothing_else_always_wrong() -> None:
    for task in TASKS.values():
        assert right_of(NoisyThinker(rate=0.0), task, solve_prompt(task), 3) == 1.0
    for task in list(TASKS.values())[::6]:
        thinker = NoisyThinker(rate=1.0)
        assert thinker.error_of(Known(task, None), solve_prompt(task)) <= 0.95
        assert right_of(thinker, task, solve_prompt(task), 40) < 0.6


@pytest.mark.parametrize("name", ["maths-01", "general-03", "reasoning-05"])
def test_it_errs_as_often_as_it_says(name: str) -> None:
    task, thinker = TASKS[name], NoisyThinker()
    wanted = 1 - thinker.error_of(Known(task, None), solve_prompt(task))
    # Three and a half standard deviations of a share of 150.
    assert right_of(thinker, task, solve_prompt(task)) == pytest.approx(wanted, abs=0.14)
    assert 0 < 1 - wanted < 2 * RATE


def test_the_same_seed_says_the_same_whatever_the_fence_and_others_differ() -> None:
    task, thinker = TASKS["maths-03"], NoisyThinker()
    one, other = (solve_prompt(task, "- a -> b", fence) for fence in (FENCE, "===== fedcba9876543210 ====="))
    said = [thinker.decide_seeded("worker", one, seed) for seed in range(30)]
    assert said == [thinker.decide_seeded("worker", other, seed) for seed in range(30)]
    assert len(set(said)) > 3
    assert said != [NoisyThinker(seed=1).decide_seeded("worker", one, seed) for seed in range(30)]


def test_right_parts_help_wrong_ones_mislead_and_advice_is_worth_something() -> None:
    task, thinker = TASKS["maths-04"], NoisyThinker()
    known = Known(task, None)
    right = "\n".join(f"- {part.ask} -> {part.answer} (100% of samples)" for part in task.parts)
    wrong = right.replace("-> 25 ", "-> 12 ")
    alone = thinker.error_of(known, solve_prompt(task))
    assert thinker.error_of(known, solve_prompt(task, right)) < alone / 2
    assert thinker.error_of(known, solve_prompt(task, wrong)) == MISLED
    assert thinker.error_of(known, solve_prompt(task) + ADVICE) < alone
    part = Known(TASKS["maths-05"], TASKS["maths-05"].parts[1])
    assert thinker.error_of(part, "") == MISLED
    assert thinker.error_of(part, f"- {part.task.parts[0].ask} -> 30 (90% of samples)\n") < RATE


def test_the_question_a_prompt_puts_is_the_last_one_it_names_facts_aside() -> None:
    task = TASKS["science-05"]
    part = task.parts[1]
    whole = f"Part of a larger question:\n{FENCE}\n{task.question}\n{FENCE}\nQuestion: {part.ask}"
    assert asked_in(whole) == Known(task, part)
    merging = solve_prompt(task, f"- {part.ask} -> 80 (100% of samples, review: approved)")
    assert asked_in(merging) == Known(task, None)
    assert asked_in("What else is there?") is None


def test_it_splits_as_the_task_can_be_split_and_reviews_what_it_is_shown() -> None:
    thinker = NoisyThinker(rate=0.0)
    task = TASKS["regulation-02"]
    plan: dict[str, Any] = thinker.decide("planner", f"{task.question}\nSplit it.")
    assert [part["question"] for part in plan["parts"]] == [part.ask for part in task.parts]
    assert [part["depends_on"] for part in plan["parts"]] == [list(part.needs) for part in task.parts]
    assert plan["question"] == task.question
    for answer, approved in ((task.answer, True), (task.wrong, False)):
        prompt = f"{FENCE}\n{task.question}\n{task.question}\n{answer}\n{task.context}\n{FENCE}\nVerdict?"
        assert (thinker.decide("critic", prompt)["verdict"] == "approved") is approved
    pair = f"Question: {task.question}\nFirst answer: {task.answer}\nSecond answer: "
    assert thinker.decide("verifier", pair + "€5.50\n\n")["verdict"] == "entails"
    assert thinker.decide("verifier", pair + f"{task.wrong}\n\n")["verdict"] == "contradicts"


def prompt_of(name: str, **slots: str) -> str:
    """Rules and request as they are in the files; slots nobody fills are empty."""
    folder = files("configs") / "prompts"
    both = "\n".join((folder / f"{part}.md").read_text("utf-8") for part in (f"{name}_rules", name))
    return re.sub(
        r"\{\{(\w+)\}\}", lambda slot: {"fence": FENCE, "most": "5", **slots}.get(slot[1], ""), both
    )


@pytest.mark.parametrize("task", list(TASKS.values())[::2], ids=list(TASKS)[::2])
def test_it_reads_the_prompts_the_graph_makes(task: Task) -> None:
    thinker = NoisyThinker(rate=0.0)
    shared = {"question": task.question, "context": task.context}
    normal = prompt_of("contractive_normalize", question=task.question, earlier="")
    assert thinker.decide("planner", normal)["question"] == task.question
    facts = "".join(f"- {part.ask} -> {part.answer} (90% of samples)\n" for part in task.parts)
    split = prompt_of(
        "contractive_decompose",
        root=task.question,
        known=facts,
        asked=f"- {task.question}",
        refused="",
        most="5",
        **shared,
    )
    assert len(thinker.decide("planner", split)["parts"]) == len(task.parts)
    for answer in (task.answer, task.wrong):
        for name in ("contractive_peer", "contractive_peer_light"):
            review = prompt_of(name, root=task.question, answer=answer, constraints="", **shared)
            verdict = thinker.decide("critic", review)["verdict"]
            assert (verdict == "approved") == (answer == task.answer), (name, answer)
    revise = prompt_of(
        "contractive_revise",
        answer=task.wrong,
        issues=f"- {ISSUE}",
        advice=f"- {ADVICE}",
        known=facts,
        **shared,
    )
    assert judged(task, thinker.decide_seeded("worker", revise, 1)).right
    same = prompt_of("contractive_entailment", question=task.question, first=task.answer, second=task.answer)
    other = prompt_of("contractive_entailment", question=task.question, first=task.answer, second=task.wrong)
    assert thinker.decide("verifier", same)["verdict"] == "entails"
    assert thinker.decide("verifier", other)["verdict"] == "contradicts"


def test_it_reads_an_answer_behind_its_label_whatever_stands_before() -> None:
    task, thinker = TASKS["regulation-02"], NoisyThinker(rate=0.0)
    for answer in (f"Two amounts.\nAnswer: {task.answer}", f"Two amounts.\nAnswer: {task.wrong}"):
        given = f"Question: {task.question}\nContext: {task.context}\nAnswer: {answer}"
        given += f"\n{FENCE}\nReview the answer 5.50."
        verdict = thinker.decide("critic", f"{FENCE}\nThe whole question: {task.question}\n{given}")[
            "verdict"
        ]
        assert (verdict == "approved") == (task.answer in answer)


def test_its_json_is_broken_and_its_reviews_are_wrong_now_and_then() -> None:
    thinker, task = NoisyThinker(rate=0.5), TASKS["maths-01"]
    replies = [thinker.decide("critic", f"{number}\n{task.question}\n{task.answer}") for number in range(200)]
    broken = [reply for reply in replies if isinstance(reply, str)]
    verdicts = [reply["verdict"] for reply in replies if isinstance(reply, dict)]
    assert 0 < len(broken) < 60
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken[0])
    assert 0 < sum(verdict != "approved" for verdict in verdicts) < len(verdicts) / 2


async def test_it_is_a_model_like_any_other() -> None:
    from evals.contractive.noisy import NAME, register

    register()
    chat = ScriptedChatModel(script=load_script(NAME), role="worker")
    task = TASKS["general-01"]
    said = {(await chat.ainvoke(solve_prompt(task), seed=seed)).text for seed in range(20)}
    assert len(said) > 1 and any(judged(task, reply).right for reply in said)
    assert (await chat.ainvoke("Who are you?")).text == "I don't know."
