from __future__ import annotations

from typing import Any

from memory.corpus import HybridExperience
from memory.events import ReasoningEvent
from models.errors import ModelUnavailable
from tests.memory.places import Experience, event

KEY = "count <ext> files"


def episode(name: str, **values: Any) -> ReasoningEvent:
    meta = {
        "verified": True,
        "key": KEY,
        "plan": {"steps": [name]},
        "steps": [name],
        **values.pop("meta", {}),
    }
    return event(values.pop("goal", "count the python files"), event_id=name, meta=meta, **values)


def feedback(name: str, of: str, **said: Any) -> ReasoningEvent:
    return event("", event_type="feedback", outcome_status=None, event_id=name, meta={"of": of, **said})


def ids(found: list[Any]) -> list[str]:
    return [one.event_id for one in found]


def filled(experience: Experience, *events: ReasoningEvent) -> HybridExperience:
    corpus = experience.open()
    for one in events:
        corpus.append(one)
    return corpus


def test_episodes_are_the_verified_runs_of_a_key_and_open_no_model(experience: Experience) -> None:
    corpus = filled(
        experience,
        episode("old", days_ago=3),
        episode("new", days_ago=1),
        episode("unverified", meta={"verified": False}),
        episode("says-so", meta={"verified": "yes"}),
        episode("other-key", meta={"key": "other"}),
    )
    assert ids(corpus.episodes(KEY)) == ["new", "old"]
    assert ids(corpus.episodes(KEY, most=1)) == ["new"]
    assert corpus.episodes("") == corpus.episodes("nothing") == []
    assert experience.embedder.embedded == []
    stored = corpus.episodes(KEY)[0]
    assert (stored.scope, stored.key, stored.goal) == ("project", KEY, "count the python files")
    assert stored.meta["plan"] == {"steps": ["new"]} and stored.at is not None


def test_the_most_helpful_episode_comes_first_and_a_sunk_one_leaves(experience: Experience) -> None:
    corpus = filled(
        experience,
        episode("a", days_ago=5),
        episode("b", days_ago=1),
        feedback("f1", "a", helpful=1),
        feedback("f2", "b", harmful=1),
    )
    assert ids(corpus.episodes(KEY)) == ["a"]
    assert (corpus.episodes(KEY)[0].helpful, corpus.episodes(KEY)[0].harmful) == (1, 0)
    corpus.append(feedback("f3", "b", helpful=1))
    assert ids(corpus.episodes(KEY)) == ["a", "b"]


def test_feedback_counts_once_however_often_and_whenever_its_line_comes(experience: Experience) -> None:
    corpus = filled(experience, feedback("f1", "a", helpful=1), feedback("f1", "a", helpful=1))
    corpus.append(episode("a"))
    corpus.append(episode("a", goal="another goal", meta={"key": "another key"}))
    corpus.append(feedback("f1", "a", harmful=1))
    [stored] = corpus.episodes(KEY)
    assert (stored.helpful, stored.harmful, stored.goal) == (1, 0, "count the python files")
    assert corpus.episodes("another key") == []
    assert corpus.stats()[0].duplicates == 3


def test_what_a_project_says_about_a_global_record_counts_too(experience: Experience) -> None:
    corpus = experience.open()
    assert corpus.shared is not None
    corpus.shared.append(episode("g"))
    corpus.append(feedback("f1", "g", helpful=1), to_global=True)
    assert [(one.scope, one.helpful) for one in corpus.episodes(KEY)] == [("global", 1)]
    corpus.append(feedback("f2", "g", harmful=1))
    corpus.append(feedback("f3", "g", harmful=1))
    assert corpus.episodes(KEY) == [] and corpus.search("count the python files") == []


def test_a_failure_is_unresolved_until_an_episode_is_said_to_have_solved_it(experience: Experience) -> None:
    failed = event(
        "count the pyhton files",
        event_type="reflection",
        outcome_status="failure",
        event_id="r",
        error="nothing matched",
        meta={"key": KEY, "category": "not_found", "lesson": "check the spelling"},
    )
    corpus = filled(experience, failed, episode("e", meta={"steps": ["find *.py", "count"]}))
    assert corpus.unresolved(KEY) == ["r"]
    corpus.append(feedback("f", "r", resolved_by="e"))
    assert corpus.unresolved(KEY) == [] == corpus.unresolved(KEY, by="other")
    # Whoever says so may be killed while it does, and says it again.
    assert corpus.unresolved(KEY, by="e") == ["r"]
    [hit] = corpus.search_failures("count the pyhton files nothing matched check the spelling")
    assert (hit.resolved_by, hit.later) == ("e", "find *.py; then count")
    assert "what later worked: find *.py; then count" in corpus.prompt_block([hit])


def test_plan_examples_are_verified_runs_with_different_plans(experience: Experience) -> None:
    corpus = filled(
        experience,
        episode("far", goal="count the python files in it", meta={"plan": {"steps": ["far"]}}),
        episode("same", meta={"plan": {"steps": ["near"]}}),
        episode("near", goal="count python files", meta={"plan": {"steps": ["near"]}}),
        episode("bad", goal="count the python files now", meta={"verified": False}),
    )
    assert ids(corpus.plan_examples("count the python files")) == ["same", "far"]
    assert ids(corpus.plan_examples("count the python files", most=1)) == ["same"]
    assert corpus.plan_examples("who committed yesterday") == []


def test_searches_are_for_failures_successes_or_whole_runs(experience: Experience) -> None:
    corpus = filled(
        experience,
        event("count tests", event_id="s"),
        event("count tests", event_id="f", outcome_status="max_reflections"),
        event("count tests", event_id="x", event_type="execution", outcome_status="failure", error="tests"),
    )
    assert ids(corpus.search_failures("count tests")) == ["f", "x"]
    assert ids(corpus.search_successes("count tests")) == ["s"]
    assert set(ids(corpus.find_similar("count tests"))) == {"s", "f"}


def test_an_answer_is_not_recalled_beside_its_episode(experience: Experience) -> None:
    corpus = filled(
        experience,
        event("count tests", event_id="e"),
        event("count tests", event_id="r", event_type="respond", meta={"episode": "e"}),
    )
    assert ids(corpus.search("count tests")) == ["e"]


def test_once_leaves_a_file_alone_that_has_the_event(experience: Experience) -> None:
    corpus = filled(experience, episode("e"), feedback("mentions", "other"))
    for name in ("e", "other", "other"):
        corpus.append(episode(name), once=True, to_global=True)
    for stats in corpus.stats():
        assert (stats.events, stats.duplicates) == ((3, 0) if stats.scope == "project" else (2, 0))


def test_without_an_embedding_model_words_decide(experience: Experience, caplog: Any) -> None:
    filled(experience, event("largest markdown document"), event("count the tests"))

    def missing() -> Any:
        raise ModelUnavailable("The model is gone.", "Bring it back.")

    corpus = HybridExperience(experience.open()._settings, experience.root, missing, experience.home)
    assert [hit.goal for hit in corpus.search("the largest markdown documents")] == [
        "largest markdown document"
    ]
    assert "searched by words only" in caplog.text
    assert corpus.search("largest python file of all") == []
