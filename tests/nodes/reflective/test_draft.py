"""Drafts: from a template by code, or from a model and then held against the evidence."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.recipes.recipe import AnswerTemplate
from nodes.reflective.draft import SHOWN_CHARS, draft_answer
from nodes.reflective.execute import succeeded
from nodes.reflective.services import Services
from nodes.reflective.state import Evidence, Plan, PlanStep, ReasoningState, StepStatus
from nodes.reflective.verify import code_findings
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

GOAL = "how long is Boreas, in data/ships.csv?"
GREP = ToolCall(tool="command", args={"command": "grep Boreas data/ships.csv"})
LINES = AnswerTemplate(reader="lines", one="It says: ${text}", many="${how_many} lines:\n${listing}")
quick = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def toolbox_of(services: Services) -> Toolbox:
    assert services.toolbox is not None
    return services.toolbox


def state_after(result: ToolResult | None, *, answer: AnswerTemplate | None = None) -> ReasoningState:
    """The state of a run whose one step printed this."""
    step = PlanStep(num=1, description="look", tool_call=GREP, status=StepStatus.SUCCESS, result=result)
    plan = Plan(objective=GOAL, steps=[step], answer=answer)
    seen = [Evidence(source="tool", step=1, command=result.command, text=result.stdout)] if result else []
    return ReasoningState(goal=GOAL, plan=plan, evidence=seen)


def printed(text: str) -> ToolResult:
    return ToolResult(tool="command", returncode=0, stdout=text, command="grep Boreas data/ships.csv")


async def drafted(services: Services, state: ReasoningState) -> ReasoningState:
    update = await draft_answer(state, services, toolbox_of(services))
    return ReasoningState.model_validate({**state.model_dump(), **update})


async def test_a_models_words_stand_when_the_output_holds_what_they_say(bench: Bench) -> None:
    services = bench.services({"worker": ["Boreas is 240 long."]})
    state = await drafted(services, state_after(printed("Boreas,240,GR\n")))
    assert state.draft_answer == "Boreas is 240 long." and state.notes == []
    assert state.usage["worker"].calls == 1


@pytest.mark.parametrize(
    "reply",
    [
        "Boreas is 241 long.",
        "Boreas is two hundred and forty-one long.",
        "It stands in data/fleet.csv.",
        'The row says "Boreas,240,NO".',
        "`Boreas,999`",
        "Boreas is 240 long, says load_ships.",
        "",
        "  \n",
        "I could not find the ship.",
        "I'm sorry, but I can't say.",
        "As an AI, I do not know.",
        "The length cannot be determined.",
    ],
)
async def test_words_that_state_more_than_the_output_or_nothing_give_way_to_the_output(
    bench: Bench, reply: str
) -> None:
    services = bench.services({"worker": [reply]})
    state = await drafted(services, state_after(printed("Boreas,240,GR\n")))
    assert state.draft_answer == "`grep Boreas data/ships.csv` printed:\nBoreas,240,GR"
    assert "not grounded" in state.notes[-1]


@quick
@given(
    before=st.sampled_from(["It is ", "Boreas: ", "", "(", "- "]),
    number=st.integers(0, 10**6).filter(lambda n: n not in (1, 240)),
    after=st.sampled_from([" long.", "", " metres", ")", "; see data/ships.csv"]),
)
async def test_no_number_that_no_output_holds_is_ever_in_a_draft(
    bench: Bench, before: str, number: int, after: str
) -> None:
    services = bench.services({"worker": [f"{before}{number}{after}"]})
    state = await drafted(services, state_after(printed("Boreas,240,GR\n")))
    assert state.draft_answer is not None
    assert str(number) not in re.findall(r"\d+", state.draft_answer)


@quick
@given(st.lists(st.text("abc 0123456789.,:/_-'\"", max_size=60), max_size=160))
async def test_an_output_shown_instead_of_words_always_passes_the_check_of_code(
    bench: Bench, lines: list[str]
) -> None:
    services = bench.services({"worker": [""]})
    state = await drafted(services, state_after(printed("\n".join(lines))))
    assert state.draft_answer is not None and code_findings(state) == []


async def test_the_shipped_small_model_does_not_word_an_answer(bench: Bench) -> None:
    services = bench.services(models__worker__name="embedded")
    state = await drafted(services, state_after(printed("Boreas,240,GR\n")))
    assert state.draft_answer == "`grep Boreas data/ships.csv` printed:\nBoreas,240,GR"
    assert state.usage == {}


async def test_a_long_output_is_cut_between_lines_and_the_cut_is_told(bench: Bench) -> None:
    lines = [str(10**9 + number) for number in range(1000)]
    services = bench.services({"worker": [""]})
    state = await drafted(services, state_after(printed("\n".join(lines))))
    assert state.draft_answer is not None
    shown = state.draft_answer.splitlines()[1:-1]
    assert shown == lines[: len(shown)] and 0 < len(shown) < len(lines)
    assert "goes on" in state.draft_answer.splitlines()[-1]
    assert len(state.draft_answer) < SHOWN_CHARS + 200


async def test_an_output_of_nothing_is_called_nothing(bench: Bench) -> None:
    services = bench.services({"worker": [""]})
    state = await drafted(services, state_after(printed("\n")))
    assert state.draft_answer == "`grep Boreas data/ships.csv` printed:\n(nothing)"


async def test_a_template_needs_no_model_and_what_it_computes_is_evidence(bench: Bench) -> None:
    state = await drafted(bench.services(), state_after(printed("b 7\na 8\n"), answer=LINES))
    assert state.draft_answer == "2 lines:\nb 7\na 8"
    assert [item.source for item in state.evidence] == ["tool", "computed"]
    assert "how many: 2" in state.evidence[1].text and code_findings(state) == []


async def test_an_output_without_rows_is_no_answer_unless_the_template_says_what_that_means(
    bench: Bench,
) -> None:
    state = await drafted(bench.services(), state_after(printed(""), answer=LINES))
    assert (state.draft_answer, state.last_error) == (None, "The output holds no answer.")
    says = LINES.model_copy(update={"none": "There is none."})
    state = await drafted(bench.services(), state_after(printed(""), answer=says))
    assert (state.draft_answer, state.last_error) == ("There is none.", None)


async def test_a_template_reads_the_whole_of_an_output_too_long_for_the_state(bench: Bench) -> None:
    rows = [f"row-{number}" for number in range(4000)]
    (bench.root / "long.txt").write_text("".join(f"{row}\n" for row in rows))
    services = bench.services()
    result = await toolbox_of(services).run(ToolCall(tool="cat", args={"paths": ["long.txt"]}))
    assert result.artifact is not None and "row-2000\n" not in result.stdout
    state = await drafted(services, state_after(result, answer=LINES))
    assert state.draft_answer is not None and state.draft_answer.startswith("4000 lines:")
    assert code_findings(state) == []


async def test_without_an_output_there_is_no_draft(bench: Bench) -> None:
    services = bench.services()
    for state in (ReasoningState(goal=GOAL), state_after(None)):
        told = await drafted(services, state)
        assert (told.draft_answer, told.last_error) == (None, "No step produced an output.")


async def test_the_last_step_that_printed_is_the_one_that_answers(bench: Bench) -> None:
    services = bench.services({"worker": [""]})
    state = state_after(printed("Boreas,240,GR\n"))
    assert state.plan is not None
    compose_step = PlanStep(num=2, description="compose", status=StepStatus.SUCCESS)
    plan = state.plan.model_copy(update={"steps": [*state.plan.steps, compose_step]})
    told = await drafted(services, state.model_copy(update={"plan": plan}))
    assert told.draft_answer is not None and "Boreas,240,GR" in told.draft_answer


def test_a_result_that_was_cut_refused_or_unexpected_is_no_success() -> None:
    step = PlanStep(num=1, description="d", expect_exit=[0, 1])
    assert succeeded(step, printed("x").model_copy(update={"returncode": 1}))
    for broken in ({"returncode": 2}, {"truncated": True}, {"error": "refused"}, {"returncode": -1}):
        assert not succeeded(step, printed("x").model_copy(update=broken))


@pytest.mark.parametrize(
    "reply",
    [
        "Here is what you asked for.",
        "Boreas is 240 long. I have updated the file and removed the rest.",
        "Boreas is long. " * 1000,
        "\0\0\0",
        "答案在文件里。",
    ],
)
async def test_words_that_answer_nothing_or_claim_a_deed_give_way_to_the_output(
    bench: Bench, reply: str
) -> None:
    state = await drafted(bench.services({"worker": [reply]}), state_after(printed("Boreas,240,GR\n")))
    assert state.draft_answer == "`grep Boreas data/ships.csv` printed:\nBoreas,240,GR"
    assert state.notes and state.last_error is None


async def test_a_worker_that_says_the_output_is_no_answer_sends_the_plan_back(bench: Bench) -> None:
    services = bench.services({"worker": ["The output does not answer this."]})
    state = await drafted(services, state_after(printed("Boreas,240,GR\n")))
    assert state.last_error is not None and "does not answer the request" in state.last_error
    assert state.draft_answer is not None and "Boreas,240,GR" in state.draft_answer


async def test_an_answer_in_number_words_or_about_an_empty_output_stands(bench: Bench) -> None:
    for reply, output in (
        ("There are seven.", "7\n"),
        ("There are none.", "\n"),
        ("Yes, it is 1,240.", "1240\n"),
    ):
        state = await drafted(bench.services({"worker": [reply]}), state_after(printed(output)))
        assert state.draft_answer == reply
