"""Runs of the contractive graph with a scripted model: tried first, split in doubt, merged if surer."""

import re
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.contractive import build, think, workflow
from models.scripted import Script, register_script
from nodes.contractive.state import ROOT, ContractiveState
from nodes.reflective.context import RunContext
from tests.nodes.contractive.thinker import Thinker, doubt, parts, sure, thought

APPLES = "How many apples are left of a full box when some fall out?"
BOX = "How many apples does a full box hold?"
FALLEN = "How many apples fall out of the box?"
SPLIT = {APPLES: [parts(BOX, FALLEN)]}
GUESSES = doubt(3, 5, 17, 40)


async def test_a_sure_answer_is_neither_split_nor_asked_again(tmp_path: Path) -> None:
    script = Thinker(says={APPLES: sure("9 apples")})
    state = await thought(tmp_path, script, APPLES)
    assert (state.status, state.short_answer, state.stop_reason) == ("answered", "9 apples", "confident")
    assert state.confidence == 1.0 and len(state.tree) == 1 and state.metrics.calls == 4
    assert state.root.tried is not None and state.root.tried.entropy == 0.0
    assert not script.prompts("planner")


async def test_doubt_is_split_and_the_parts_make_it_surer(tmp_path: Path) -> None:
    script = Thinker(
        says={APPLES: GUESSES, BOX: sure(12), FALLEN: sure(3)}, knows={APPLES: sure(9)}, splits=SPLIT
    )
    state = await thought(tmp_path, script, APPLES)
    assert (state.status, state.short_answer, state.stop_reason) == ("answered", "9", "confident")
    assert [state.tree[name].text for name in state.root.children] == [BOX, FALLEN]
    (merge,) = state.root.merges
    assert merge.kept and merge.parts == ["0.1", "0.2"] and merge.before == 1.0 and merge.after == 0.0
    assert all(question.stage == "DONE" for question in state.tree.values())
    merging = script.prompts("worker", "Established:")
    assert all(f"{BOX} -> 12" in prompt and f"{FALLEN} -> 3" in prompt for prompt in merging)
    stages = [event.facts["after"] for event in state.root.events if event.type == "state_changed"]
    assert stages == ["NORMALIZE", "SOLVE", "DECOMPOSE", "COLLAPSE", "PRE_REVIEW", "DONE"]


async def test_doubt_without_parts_is_sampled_on_as_if_it_could_not_be_split(tmp_path: Path) -> None:
    script = Thinker(says={APPLES: [*GUESSES, *(sure(9) * 6)]}, splits={APPLES: [parts()]})
    state = await thought(tmp_path, script, APPLES, max_loops=1)
    alone = Thinker(says={APPLES: [*GUESSES, *(sure(9) * 6)]})
    unsplit = await thought(tmp_path, alone, APPLES, name="alone", max_loops=1, max_depth=0)
    assert state.short_answer == unsplit.short_answer == "9" and len(state.tree) == 1
    assert state.root.tried is not None and unsplit.root.tried is not None
    assert state.root.tried.samples == unsplit.root.tried.samples > 4
    # No sample of the try was asked for again.
    assert len(script.prompts("worker")) == len(alone.prompts("worker"))


class Parrot(Script):
    """Repeats the fence of its prompt, with its stroke or without."""

    def decide(self, role: str, prompt: str) -> str:
        fence = re.search(r"=+ ([0-9a-f]{16}) =+", prompt)
        assert fence is not None
        return fence[len(prompt) % 2]


async def test_the_fence_of_a_prompt_is_no_answer(tmp_path: Path) -> None:
    state = await thought(tmp_path, Parrot(), APPLES, max_loops=1)
    assert (state.status, state.final_answer, state.confidence) == ("no_answer", "", 0.0)


async def test_a_merge_that_is_no_surer_leaves_the_best_answer_so_far(tmp_path: Path) -> None:
    most = doubt(9, 9, 4, 31)
    script = Thinker(
        says={APPLES: most, BOX: sure(12), FALLEN: sure(3)}, knows={APPLES: GUESSES}, splits=SPLIT
    )
    state = await thought(tmp_path, script, APPLES, max_loops=1, k_max_samples=4)
    (merge,) = state.root.merges
    assert not merge.kept and "uncertainty" in merge.reason
    assert (state.status, state.short_answer, state.stop_reason) == ("uncertain", "9", "max_loops")
    assert state.confidence == 0.5


async def test_an_answer_is_no_surer_than_the_parts_it_rests_on(tmp_path: Path) -> None:
    script = Thinker(
        says={APPLES: GUESSES, BOX: doubt(12, 12, 10, 30, 50), FALLEN: sure(3)},
        knows={APPLES: sure(9)},
        splits=SPLIT,
    )
    state = await thought(tmp_path, script, APPLES, max_depth=1, max_loops=1)
    assert state.root.merges[0].kept and state.root.best is not None
    assert state.root.best.measured.support == 1.0
    guessed = state.tree["0.1"].best
    assert guessed is not None and state.confidence == guessed.measured.support < 0.5
    assert state.status == "uncertain" and state.short_answer == "9"


async def test_a_part_sees_the_whole_question_and_what_it_depends_on(tmp_path: Path) -> None:
    script = Thinker(
        says={APPLES: GUESSES, BOX: sure(12), FALLEN: sure(3)},
        knows={APPLES: sure(9), FALLEN: sure(3)},
        splits={APPLES: [parts(BOX, FALLEN, needs={2: [1]})]},
    )
    state = await thought(tmp_path, script, APPLES)
    assert state.tree["0.2"].depends_on == ["0.1"]
    for prompt in script.prompts("worker", f"Question: {FALLEN}"):
        assert f"{BOX} -> 12" in prompt and APPLES in prompt
    for prompt in script.prompts("worker", f"Question: {BOX}"):
        assert "Established:" not in prompt


async def test_merging_goes_up_through_every_level(tmp_path: Path) -> None:
    layer = "How many apples are in one layer of the box?"
    layers = "How many layers are in the box?"
    script = Thinker(
        says={APPLES: GUESSES, BOX: doubt(1, 2, 10, 20), FALLEN: sure(3), layer: sure(6), layers: sure(2)},
        knows={APPLES: sure(9), BOX: sure(12)},
        splits={**SPLIT, BOX: [parts(layer, layers)]},
    )
    state = await thought(tmp_path, script, APPLES)
    assert state.short_answer == "9" and state.metrics.depth == 2 and state.metrics.split == 2
    assert state.tree["0.1"].best is not None and state.tree["0.1"].best.source == "merge"
    assert script.prompts("worker", f"{BOX} -> 12")


async def test_a_required_part_without_an_answer_keeps_the_question_from_being_merged(tmp_path: Path) -> None:
    script = Thinker(
        says={APPLES: doubt(9, 9, 4, 31), BOX: sure(12), FALLEN: [""]}, knows={APPLES: sure(9)}, splits=SPLIT
    )
    state = await thought(tmp_path, script, APPLES, max_depth=1, k_max_samples=4)
    merge = state.root.merges[0]
    assert not any(one.kept for one in state.root.merges)
    assert "0.2" in merge.reason and "0.2" in merge.left_out
    assert (state.status, state.short_answer) == ("uncertain", "9")
    assert not script.prompts("worker", "Established:")


async def test_a_required_part_that_failed_may_be_asked_again(tmp_path: Path) -> None:
    script = Thinker(
        says={APPLES: doubt(9, 9, 4, 31), BOX: sure(12), FALLEN: ["", "", "", "", *sure(3) * 40]},
        knows={APPLES: sure(9)},
        splits=SPLIT,
    )
    state = await thought(tmp_path, script, APPLES, max_depth=1, k_max_samples=4)
    assert [state.tree[name].text for name in state.root.children] == [BOX, FALLEN, FALLEN]
    assert [merge.kept for merge in state.root.merges] == [False, True]
    assert (state.status, state.short_answer) == ("answered", "9")


async def test_parts_that_compete_give_their_winner_only(tmp_path: Path) -> None:
    count = "Which number of apples does the list on the lid of the box show?"
    sums = "What is the size of the box minus the apples on the floor?"
    script = Thinker(
        says={APPLES: GUESSES, count: doubt(8, 8, 8, 10), sums: sure(9)},
        knows={APPLES: sure(9)},
        splits={APPLES: [parts(count, sums, kind="OR")]},
    )
    state = await thought(tmp_path, script, APPLES)
    (merge,) = state.root.merges
    assert merge.parts == ["0.2"] and "0.1" in merge.left_out and merge.kept
    assert all(count not in prompt for prompt in script.prompts("worker", "Established:"))


async def test_a_question_that_cannot_be_split_keeps_its_answer(tmp_path: Path) -> None:
    script = Thinker(says={APPLES: doubt(9, 9, 4, 31)}, splits={APPLES: [parts()]})
    state = await thought(tmp_path, script, APPLES, k_max_samples=4)
    assert (state.status, state.short_answer) == ("uncertain", "9")
    assert state.stop_reason == "no_new_evidence" and len(state.tree) == 1


async def test_a_split_that_repeats_the_question_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    script = Thinker(
        says={APPLES: GUESSES, BOX: sure(12), FALLEN: sure(3)},
        knows={APPLES: sure(9)},
        splits={APPLES: [parts(APPLES), parts(BOX, FALLEN)]},
    )
    state = await thought(tmp_path, script, APPLES)
    assert state.short_answer == "9" and state.root.splits == 2 and APPLES in state.root.refused
    assert state.root.refused[APPLES] in script.prompts("planner")[1]


async def test_two_hundred_parts_become_five_at_most(tmp_path: Path) -> None:
    many = [f"How many apples are in row {number} of the box?" for number in range(200)]
    script = Thinker(
        says={APPLES: GUESSES, **dict.fromkeys(many, sure(2))},
        knows={APPLES: sure(9)},
        splits={APPLES: [parts(*many)]},
    )
    state = await thought(tmp_path, script, APPLES)
    assert len(state.root.children) == 5 and state.short_answer == "9"
    assert state.metrics.calls <= 1 + 7 * 10


async def test_only_what_differs_is_sampled_on(tmp_path: Path) -> None:
    script = Thinker(says={APPLES: doubt(9, 9, 9, 4, 9, 9, 9, 9, 9, 9)})
    state = await thought(tmp_path, script, APPLES, max_depth=0)
    measured = state.root.tried
    assert measured is not None and 4 < measured.samples <= 10 and measured.answer == "9"


async def test_the_seeds_of_samples_differ_and_belong_to_the_run(tmp_path: Path) -> None:
    seeds: list[int | None] = []

    class Seeded(Thinker):
        def decide_seeded(self, role: str, prompt: str, seed: int | None) -> Any:
            seeds.append(seed)
            return self.decide(role, prompt)

    for _ in range(2):
        start = {"question": APPLES, "seed": 7}
        register_script("seeded", Seeded(says={APPLES: sure(9)}))
        run = RunContext(
            root=str(tmp_path), model="scripted:seeded", settings={"contractive.normalize": "code"}
        )
        await workflow.ainvoke(start, context=run)
    assert len(set(seeds[:4])) == 4 and sorted(map(str, seeds[:4])) == sorted(map(str, seeds[4:]))


class TestReview:
    """A peer's verdict counts, and its advice drives one revision and one more review."""

    PASS: Any = {"verdict": "approved", "score": 0.9, "issues": [], "advice": ""}
    MEND: Any = {"verdict": "minor_revision", "score": 0.5, "issues": ["no unit"], "advice": "Give the unit."}
    REJECT: Any = {"verdict": "reject", "score": 0.1, "issues": ["wrong"], "advice": ""}

    async def test_an_approved_answer_is_left_alone(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: sure(9)}, reviews=[self.PASS])
        state = await thought(tmp_path, script, APPLES, peer="full")
        assert state.root.verdict == "approved" and (state.metrics.reviewed, state.metrics.approved) == (1, 1)
        assert state.metrics.calls == 5

    async def test_advice_drives_one_revision_and_one_more_review(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: sure(9)}, revises=sure("9 apples"), reviews=[self.MEND, self.PASS])
        state = await thought(tmp_path, script, APPLES, peer="full")
        assert state.root.best is not None and state.root.best.source == "revision"
        assert (state.short_answer, state.root.verdict) == ("9 apples", "approved")
        assert len(script.prompts("critic")) == 2 and script.prompts("worker", "Give the unit.")

    async def test_a_worse_revision_is_not_kept(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: sure(9)}, revises=sure("10"), reviews=[self.MEND, self.REJECT])
        state = await thought(tmp_path, script, APPLES, peer="full")
        assert (state.short_answer, state.root.verdict) == ("9", "minor_revision")
        assert len(state.root.reviews) == 4

    async def test_a_rejected_part_is_kept_out_of_the_merge(self, tmp_path: Path) -> None:
        class Strict(Thinker):
            def decide(self, role: str, prompt: str) -> Any:
                if role != "critic":
                    return super().decide(role, prompt)
                return TestReview.REJECT if FALLEN in prompt else TestReview.PASS

        script = Strict(
            says={APPLES: doubt(9, 9, 4, 31), BOX: sure(12), FALLEN: sure(3)},
            revises=sure(3),
            knows={APPLES: sure(9)},
            splits=SPLIT,
        )
        state = await thought(tmp_path, script, APPLES, peer="full", max_depth=1, k_max_samples=4)
        assert state.tree["0.2"].pruned.startswith("rejected")
        assert "0.2" in state.root.merges[0].left_out and not state.root.merges[0].kept

    async def test_a_rejected_answer_is_never_called_answered(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: sure(9)}, revises=sure(9), reviews=[self.REJECT])
        state = await thought(tmp_path, script, APPLES, peer="full", max_depth=0)
        assert (state.status, state.short_answer) == ("uncertain", "9")
        assert any("rejected" in note for note in state.notes)

    async def test_an_answer_that_stays_is_reviewed_once_and_one_that_comes_anew_again(
        self, tmp_path: Path
    ) -> None:
        halves = doubt(9, 9, 4, 31)
        for merged, reviewed in ((halves, 1), (sure(8), 2)):
            script = Thinker(
                says={APPLES: doubt(9, 9, 9, 31), BOX: sure(12), FALLEN: sure(3)},
                knows={APPLES: merged},
                splits={APPLES: [parts(BOX, FALLEN), parts("Who filled the box with apples?")]},
                reviews=[{"verdict": "major_revision", "score": 0.35, "issues": [], "advice": ""}],
            )
            state = await thought(
                tmp_path,
                script,
                APPLES,
                peer="full",
                max_loops=2,
                k_max_samples=4,
                entropy_decompose_threshold=0.9,
            )
            asked = [prompt for prompt in script.prompts("critic") if f"Question: {APPLES}" in prompt]
            assert len(state.passes) == 2 and len(asked) == reviewed
            assert sum(review.by == "code" for review in state.root.reviews) == 1

    async def test_a_revision_the_peer_could_not_look_at_does_not_get_rid_of_its_verdict(
        self, tmp_path: Path
    ) -> None:
        script = Thinker(says={APPLES: sure(9)}, revises=sure(8), reviews=[self.REJECT, {"error": "failed"}])
        state = await thought(tmp_path, script, APPLES, peer="full", max_depth=0)
        assert (state.status, state.short_answer) == ("uncertain", "9")
        assert state.root.verdict == "reject" and state.root.pruned
        assert "failed" in state.root.reviews[-1].problem

    async def test_a_peer_that_cannot_be_understood_counts_for_nothing(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: sure(9)}, reviews=["not incorrect"])
        state = await thought(tmp_path, script, APPLES, peer="full")
        assert state.status == "answered" and state.metrics.reviewed == 0
        assert state.root.reviews[-1].problem
        assert any("No peer reviewed" in note for note in state.notes)

    async def test_a_light_peer_gives_its_verdict_only(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: sure(9)}, reviews=[{"verdict": "approved"}])
        state = await thought(tmp_path, script, APPLES, peer="light")
        assert state.root.verdict == "approved" and state.metrics.reviewed == 1


class TestPasses:
    """The whole operator again, while there is new evidence and the answer moves."""

    OTHERS = (
        "How many apples were bought for the box?",
        "How many layers of apples does the box have?",
        "How many apples are in one layer of the box?",
        "How heavy are the apples of the box?",
        "Who filled the box with apples?",
    )

    def script(self, *merged: list[str]) -> Thinker:
        """Each pass asks one more part, and its merge gives the samples named for it."""

        class Turning(Thinker):
            def decide(self, role: str, prompt: str) -> Any:
                if role == "worker" and f"Question: {APPLES}" in prompt and "Established:" in prompt:
                    facts = prompt.count(" -> ")
                    self._times[f"merge {facts}"] += 1
                    replies = merged[min(facts, len(merged)) - 1]
                    return replies[self._times[f"merge {facts}"] % len(replies)]
                return super().decide(role, prompt)

        return Turning(
            says={APPLES: GUESSES, **dict.fromkeys(self.OTHERS, sure(4))},
            splits={APPLES: [parts(other) for other in self.OTHERS]},
        )

    async def test_the_ratio_of_steps_is_measured(self, tmp_path: Path) -> None:
        script = self.script(doubt(100, 140, 30, 60), doubt(50, 55, 45, 90), doubt(51, 49, 70, 99))
        state = await thought(tmp_path, script, APPLES, max_loops=3, k_max_samples=4)
        assert [one.number for one in state.passes] == [1, 2, 3]
        first, second, third = state.passes
        assert first.step is None and second.ratio is None
        assert second.step is not None and third.step is not None and third.ratio is not None
        assert third.ratio == pytest.approx(third.step / second.step, abs=1e-5)

    async def test_an_answer_that_rests_is_a_fixed_point_and_not_called_right(self, tmp_path: Path) -> None:
        halves = doubt(9, 9, 4, 31)
        state = await thought(
            tmp_path, self.script(halves, halves, halves), APPLES, max_loops=9, k_max_samples=4
        )
        assert state.stop_reason == "fixed_point" and len(state.passes) == 3
        assert state.status == "uncertain"
        assert any("does not make it right" in note for note in state.notes)

    async def test_without_new_evidence_there_is_no_further_pass(self, tmp_path: Path) -> None:
        script = Thinker(
            says={APPLES: GUESSES, BOX: sure(12), FALLEN: sure(3)}, knows={APPLES: GUESSES}, splits=SPLIT
        )
        state = await thought(tmp_path, script, APPLES, k_max_samples=4)
        assert state.stop_reason in ("no_new_evidence", "fixed_point") and len(state.passes) == 2
        assert state.status == "uncertain"


class TestFaults:
    """Always an answer or an honest "no answer", a reason to have stopped, and nothing past the budget."""

    async def test_one_failing_call_is_tried_again(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: [{"error": "lost"}, *sure(9) * 50]})
        state = await thought(tmp_path, script, APPLES)
        assert (state.status, state.short_answer) == ("answered", "9") and state.metrics.failed_calls == 1

    async def test_one_call_that_stays_broken_costs_one_sample(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: [{"error": "failed"}, *sure(9) * 50]})
        state = await thought(tmp_path, script, APPLES)
        assert (state.status, state.short_answer) == ("answered", "9")
        assert state.root.tried is not None and state.root.tried.failed == 1

    @pytest.mark.parametrize("error", ["unavailable", "missing", "failed", "lost", "timeout"])
    async def test_all_calls_failing_is_an_error_that_says_why(self, tmp_path: Path, error: str) -> None:
        state = await thought(tmp_path, Thinker(everything={"error": error}), APPLES, normalize="model")
        assert (state.status, state.stop_reason, state.final_answer) == ("error", "error", "")
        assert state.failure is not None and "scripted" in state.failure.what and state.failure.environmental
        assert state.confidence == 0.0

    @pytest.mark.parametrize("reply", ["", "   \n", "]]} ?? ("])
    async def test_nothing_said_is_no_answer(self, tmp_path: Path, reply: str) -> None:
        state = await thought(tmp_path, Thinker(everything=reply), APPLES, peer="full", normalize="model")
        assert state.status == "no_answer" and state.stop_reason == "no_answer"
        assert state.final_answer == "" and state.confidence == 0.0

    async def test_a_refusal_is_no_answer(self, tmp_path: Path) -> None:
        state = await thought(tmp_path, Thinker(says={APPLES: ["I cannot answer that."]}), APPLES)
        assert state.status == "no_answer" and state.short_answer == ""

    @pytest.mark.parametrize("budget", [1, 300, 900, 1500, 3000, 6000, 12_000])
    async def test_a_budget_that_ends_anywhere_leaves_the_best_so_far(
        self, tmp_path: Path, budget: int
    ) -> None:
        script = Thinker(
            says={APPLES: GUESSES, BOX: sure(12), FALLEN: sure(3)},
            knows={APPLES: sure(9)},
            splits=SPLIT,
            reviews=[TestReview.PASS],
        )
        state = await thought(tmp_path, script, APPLES, max_global_tokens=budget, peer="full")
        assert state.metrics.tokens <= budget
        assert state.stop_reason is not None
        answered = state.metrics.by_phase.get("solve") is not None
        assert bool(state.final_answer) == answered
        if state.stop_reason == "budget":
            assert any("budget" in note for note in state.notes)
            assert state.metrics.refused_calls > 0
        else:
            assert state.short_answer == "9"

    async def test_the_time_of_a_run_ends_it(self, tmp_path: Path) -> None:
        script = Thinker(says={APPLES: [{"delay": 0.05, "reply": one} for one in GUESSES]}, splits=SPLIT)
        state = await thought(tmp_path, script, APPLES, run_timeout_sec=0.04)
        assert state.stop_reason in ("timeout", "error") and state.status in (
            "error",
            "no_answer",
            "uncertain",
        )

    async def test_an_empty_question_is_refused_in_words(self, tmp_path: Path) -> None:
        values = await think("   ", run=RunContext(root=str(tmp_path), model="scripted:none"))
        assert values["status"] == "error" and "no question" in values["failure"]["what"]

    async def test_a_journal_that_cannot_be_kept_ends_the_run_before_a_call(self, tmp_path: Path) -> None:
        (tmp_path / ".reflect").mkdir()
        (tmp_path / ".reflect" / "contractive").write_text("in the way")
        script = Thinker(says={APPLES: sure(9)})
        graph, given = graph_of(script, tmp_path, "unkept")
        state = ContractiveState.model_validate(await graph.ainvoke({"question": APPLES}, **given))
        assert state.status == "error" and state.failure is not None and not script.prompts()
        # Without a thread there is nothing to go on with, and no journal to keep.
        assert (await thought(tmp_path, script, APPLES)).status == "answered"


async def test_the_given_material_is_shown_and_what_does_not_fit_is_told(tmp_path: Path) -> None:
    script = Thinker(says={APPLES: sure(9)})
    state = await thought(tmp_path, script, APPLES, context="A full box holds 12 apples.")
    assert not state.notes and all("holds 12 apples" in prompt for prompt in script.prompts("worker"))
    state = await thought(tmp_path, script, APPLES, context=f"Twelve. {'More of it. ' * 9000} The end.")
    (note,) = [note for note in state.notes if "given material" in note]
    prompt = script.prompts("worker")[-1]
    assert "Twelve." in prompt and "The end." in prompt and "left out" in note and len(prompt) < 20_000


def graph_of(script: Thinker, root: Path, name: str, **settings: Any) -> tuple[Any, dict[str, Any]]:
    """The graph with threads, and what every call of it is given."""
    register_script(name, script)
    chosen = {"normalize": "code", **settings}
    context = RunContext(
        root=str(root),
        model=f"scripted:{name}",
        settings={f"contractive.{key}": value for key, value in chosen.items()},
    )
    return build(InMemorySaver()), {
        "config": {"configurable": {"thread_id": name}},
        "context": context,
        "durability": "sync",
    }


async def test_a_chat_remembers_what_was_asked(tmp_path: Path) -> None:
    later = "And how many if two more fall out?"
    script = Thinker(says={APPLES: sure(9), later: sure(7)})
    graph, given = graph_of(script, tmp_path, "chat")
    await graph.ainvoke({"question": APPLES}, **given)
    values = await graph.ainvoke({"question": later}, **given)
    state = ContractiveState.model_validate(values)
    assert state.short_answer == "7" and [turn.question for turn in state.asked_before] == [APPLES]
    assert list(state.tree) == [ROOT] and len(state.passes) == 1
    assert all(APPLES in prompt and "9" in prompt for prompt in script.prompts("worker", later))


async def test_a_person_is_asked_what_an_ambiguous_question_means(tmp_path: Path) -> None:
    class Ambiguous(Thinker):
        def decide(self, role: str, prompt: str) -> Any:
            if role == "planner":
                return {"question": APPLES, "readings": ["apples in the box", "apples on the floor"]}
            return {"reply": "Answer: 9", "delay": 0}

    script = Ambiguous()
    graph, given = graph_of(script, tmp_path, "clarify", clarify=True, normalize="model")
    values = await graph.ainvoke({"question": APPLES}, **given)
    (question,) = values["__interrupt__"]
    assert question.value["kind"] == "clarify" and "apples on the floor" in question.value["readings"]
    values = await graph.ainvoke(Command(resume={"reading": 2}), **given)
    assert values["clarification"] == "apples on the floor" and values["status"] == "answered"
    assert "apples on the floor" in values["tree"][ROOT]["normal"]["question"]


def test_the_picture_names_every_state() -> None:
    drawn = workflow.get_graph()
    assert {"solve", "decompose", "collapse", "peer_review", "advance", "conclude", "answer"} <= set(
        drawn.nodes
    )
    assert {(edge.source, edge.target) for edge in drawn.edges} >= {
        ("advance", "solve"),
        ("solve", "advance"),
        ("advance", "conclude"),
        ("conclude", "advance"),
        ("conclude", "answer"),
    }
