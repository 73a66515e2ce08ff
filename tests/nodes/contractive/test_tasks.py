"""What a question may rest on: every part that is required, and of parts that compete the winner only."""

from hypothesis import given
from hypothesis import strategies as st

from configs.contractive import ContractiveSettings
from nodes.contractive.collapse import _decide, _merge
from nodes.contractive.conclude import evidence_of
from nodes.contractive.state import ROOT, Answer, ContractiveState, Measured, Merge, Pass, Question
from nodes.contractive.tasks import Task, evidence, task_of
from tests.nodes.contractive.trees import measured

WHOLE = "How many crates are in the hall?"


def split_in(*splits: tuple[str, list[str]]) -> ContractiveState:
    """A tree whose root was split once in every pass; a part with "" has no answer."""
    root = Question(id=ROOT, text=WHOLE, best=Answer(measured=measured("9")))
    tree = {ROOT: root}
    for born, (joint, answers) in enumerate(splits, start=1):
        for answer in answers:
            name = f"0.{len(root.children) + 1}"
            best = Answer(measured=measured(answer, support=1 - 0.1 * len(root.children))) if answer else None
            rival = joint == "OR"
            tree[name] = Question(
                id=name, parent=ROOT, text=f"Part {name}?", best=best, born=born, rival=rival
            )
            root.children.append(name)
        root.joint = "OR" if joint == "OR" else "AND"
    passes = [Pass(number=number) for number in range(1, len(splits))]
    return ContractiveState(question=WHOLE, tree=tree, passes=passes, run_id="r")


def used(state: ContractiveState) -> list[str]:
    return [fact.id for fact in evidence(state, state.root)[0]]


SPLITS = st.lists(
    st.tuples(
        st.sampled_from(["AND", "OR"]), st.lists(st.sampled_from(["", "4", "7"]), min_size=1, max_size=4)
    ),
    min_size=1,
    max_size=4,
)


@given(splits=SPLITS)
def test_of_every_split_that_competes_one_part_is_used_and_of_others_all_that_answered(
    splits: list[tuple[str, list[str]]],
) -> None:
    state = split_in(*splits)
    chosen = set(used(state))
    for born, (joint, _) in enumerate(splits, start=1):
        parts = [part for part in state.tree.values() if part.parent and part.born == born]
        answered = {part.id for part in parts if part.best is not None}
        mine = chosen & {part.id for part in parts}
        assert mine <= answered
        assert len(mine) == min(1, len(answered)) if joint == "OR" else mine == answered
    assert set(evidence_of(state)) == chosen
    assert chosen | set(evidence(state, state.root)[1]) == set(state.root.children)


def test_who_lost_to_a_rival_stays_out_of_later_passes() -> None:
    state = split_in(("OR", ["4", "7"]), ("AND", ["12"]))
    assert used(state) == ["0.1", "0.3"]
    assert task_of(state, ROOT).left_out == {"0.2": "it lost to 0.1"}


def task(before: Measured, gamma: float = 0.05) -> Task:
    state = split_in(("AND", ["4"]))
    state.root.best = Answer(measured=before)
    state.limits = ContractiveSettings(entropy_gamma_min_reduction=gamma)
    return task_of(state, ROOT)


def decided(before: Measured, after: Measured, gamma: float = 0.05) -> Merge:
    merging = task(before, gamma)
    merge = _merge(merging)
    _decide(merging, merge, after)
    return merge


def test_a_fall_by_gamma_to_the_last_digit_is_one() -> None:
    merge = decided(measured("9", 0.5, uncertainty=0.5), measured("8", 0.5, uncertainty=0.45))
    assert merge.kept and merge.sampled


@given(
    before=st.integers(0, 20),
    after=st.integers(0, 20),
    supports=st.tuples(st.integers(1, 10), st.integers(1, 10)),
    gamma=st.integers(0, 20),
)
def test_a_merge_is_kept_only_if_it_is_surer_by_gamma_and_as_well_supported(
    before: int, after: int, supports: tuple[int, int], gamma: int
) -> None:
    was = measured("9", supports[0] / 10, uncertainty=before / 20)
    now = measured("8", supports[1] / 10, uncertainty=after / 20)
    kept = decided(was, now, gamma / 20).kept
    assert kept == (before - after >= gamma and supports[1] >= supports[0])


def test_a_merge_without_an_answer_is_never_kept() -> None:
    assert not decided(measured("9", uncertainty=1.0), Measured(samples=4)).kept
