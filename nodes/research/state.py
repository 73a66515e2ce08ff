"""The state of one research run. Checkpoints hold it as JSON; nodes return JSON-dumped parts of it.

Texts of sources are not in it: they lie in the project's content store, and the state holds their digests.
"""

from __future__ import annotations

from typing import Any, Literal

from langgraph.managed import RemainingSteps
from pydantic import BaseModel, Field, field_validator

from nodes.reflective.state import Failure, RoleUsage

Mode = Literal["strict", "discovery", "monitor"]
AnalystStatus = Literal["SEARCH_REQUIRED", "DRAFT_READY"]
ReviewStatus = Literal["PASS", "WARN", "REJECT"]
Compliance = Literal["符合", "違反"]
ConfidenceLevel = Literal["High", "Medium", "Low"]
AmbiguityType = Literal["time", "scope", "entity"]
Agent = Literal["analyst", "critic", "writer", "clarification", "judge"]

LONGEST_QUERY = 2000
LONGEST_DRAFT = 40_000
LONGEST_LIST = 12


class TemporalContext(BaseModel):
    """The time a query is about; a source dated outside of it is not used.

    Attributes:
        start: first day, ISO, or None.
        end: last day, ISO, or None.
        label: the range in words, as it was asked for.
    """

    start: str | None = None
    end: str | None = None
    label: str = ""

    @property
    def bounded(self) -> bool:
        """True if it rules anything out."""
        return self.start is not None or self.end is not None


class AnalystOutput(BaseModel):
    """What the analyst answers.

    Attributes:
        status: SEARCH_REQUIRED asks for `new_queries`; DRAFT_READY hands over `draft`.
        new_queries: what to search for next.
        draft: Markdown, cited with {cite:N}.
        reasoning_chain: how the sources lead to the draft.
        citations_used: numbers of the sources the draft cites.
        missing_information: what the sources do not tell.
    """

    status: AnalystStatus = "DRAFT_READY"
    new_queries: list[str] = Field(default_factory=list)
    draft: str = ""
    reasoning_chain: str = ""
    citations_used: list[int] = Field(default_factory=list)
    missing_information: list[str] = Field(default_factory=list)


class CriticOutput(BaseModel):
    """What the critic answers.

    Attributes:
        status: PASS, WARN (good enough, with flaws) or REJECT.
        critique: the review in words.
        suggestions: what to change.
        mode_compliance: whether the draft keeps the rules of the mode.
        logical_gaps: steps the draft does not justify.
        source_issues: what is wrong with its sources and citations.
    """

    status: ReviewStatus
    critique: str = ""
    suggestions: list[str] = Field(default_factory=list)
    mode_compliance: Compliance = "符合"
    logical_gaps: list[str] = Field(default_factory=list)
    source_issues: list[str] = Field(default_factory=list)


class WriterOutput(BaseModel):
    """What the writer answers.

    Attributes:
        final_report: Markdown, cited with {cite:N}.
        sources_used: urls the report cites; set by code from the report.
        confidence_level: how sure the report is; code may lower it.
        methodology_note: how the report came about.
    """

    final_report: str = ""
    sources_used: list[str] = Field(default_factory=list)
    confidence_level: ConfidenceLevel = "Medium"
    methodology_note: str = ""


class ClarificationOption(BaseModel):
    """One reading of an ambiguous query.

    Attributes:
        label: shown to the person.
        query: the query as it is meant then; empty leaves it as it is.
        start: first day that counts, ISO, or None.
        end: last day that counts, ISO, or None.
    """

    label: str
    query: str = ""
    start: str | None = None
    end: str | None = None


class ClarificationOutput(BaseModel):
    """Two to four readings of a query; "all" is always offered beside them."""

    question: str = ""
    options: list[ClarificationOption] = Field(default_factory=list)


class Source(BaseModel):
    """A source of the run; its text lies in the content store.

    Attributes:
        number: what {cite:N} means by it; never given to another source.
        url, name, site: as its Item has them.
        says_from: the address a file names as its own, which nobody has checked.
        tier: 1 (official) to 5 (social); 0 is unknown.
        type: kind of the source, e.g. news.
        date: when it was published, ISO, or None.
        language: of the text, or None.
        digest: of the text, by which citations are pinned.
        stored: key of its Item in the content store.
        chars: length of the text.
        score: relevance as the back end found it first, 0 to 100.
        weight: rank among the sources, larger is better; merged over all searches.
        prefix: what the tier filter puts before the text when a model reads it.
        copies: urls of further copies of the same text.
    """

    number: int
    url: str
    name: str = ""
    site: str = ""
    says_from: str = ""
    tier: int = 0
    type: str = "unknown"
    date: str | None = None
    language: str | None = None
    digest: str = ""
    stored: str = ""
    chars: int = 0
    score: int = 0
    weight: float = 0.0
    prefix: str = ""
    copies: list[str] = Field(default_factory=list)


class Exchange(BaseModel):
    """One question to a model and its reply, by which a run can be replayed.

    Attributes:
        agent: who asked.
        iteration: when.
        prompt_sha256: of the whole prompt.
        reply: the value it gave; None when it gave none.
        error: why it gave none, in words; empty when it did.
        error_kind: the error's class name.
        error_remedy: what helps.
        model: provider:model that answered.
        usage: cost of the calls.
        cut: characters of the prompt that did not fit the window.
    """

    agent: Agent
    iteration: int
    prompt_sha256: str
    reply: dict[str, Any] | None = None
    error: str = ""
    error_kind: str = ""
    error_remedy: str = ""
    model: str = ""
    usage: RoleUsage = RoleUsage()
    cut: int = 0


class Search(BaseModel):
    """One query to the back end.

    Attributes:
        query: as it was asked.
        found: how many items it gave.
        stored: their keys in the content store, in order of rank.
        error: why it gave none, in words; empty when it was answered.
        notes: what the back end told of its searches up to then.
    """

    query: str
    found: int = 0
    stored: list[str] = Field(default_factory=list)
    error: str = ""
    notes: list[str] = Field(default_factory=list)


class Finding(BaseModel):
    """What the checker said of one sentence of the report.

    Attributes:
        sentence: as it stands in the report, citations included.
        start, end: offsets in the report.
        verdict: supported, contradicted, unsupported, needs_judge or no_claim.
        citations: urls.
        spans: places in sources: url, start, end (offsets), text, digest.
        reason: why.
        action: what became of it: kept, fixed, marked or dropped.
        judged: the verdict is a model's, where code could not tell.
    """

    sentence: str
    start: int = 0
    end: int = 0
    verdict: str = "no_claim"
    citations: list[str] = Field(default_factory=list)
    spans: list[dict[str, Any]] = Field(default_factory=list)
    reason: str = ""
    action: str = "kept"
    judged: bool = False


class Stance(BaseModel):
    """What one source says to a claim; copies of a text count once.

    Attributes:
        stance: supports; contradicts; older or newer, when it tells an earlier or a later state of the same.
        copies: urls of further copies of what it says.
    """

    url: str
    name: str = ""
    site: str = ""
    tier: int = 0
    date: str | None = None
    stance: Literal["supports", "contradicts", "older", "newer"] = "supports"
    text: str = ""
    start: int = 0
    end: int = 0
    copies: list[str] = Field(default_factory=list)


class ClaimStances(BaseModel):
    """A claim of the report and every source that speaks to it.

    Attributes:
        disputed: sources disagree on it, of one time.
        superseded: a source tells an earlier or a later state of it.
    """

    claim: str
    disputed: bool = False
    superseded: bool = False
    stances: list[Stance] = Field(default_factory=list)


class Moment(BaseModel):
    """One line of the run's timeline."""

    node: str
    iteration: int = 0
    seconds: float = 0.0
    what: str = ""


class Asked(BaseModel):
    """What the caller asked, before an answer to a clarification narrowed it.

    Attributes:
        query, temporal_context, clarify, ambiguity: as the caller gave them.
        answer: what the person said the query means; None if nobody was asked.
        understood: False if that was neither one of the readings nor all of them.
    """

    query: str = ""
    temporal_context: TemporalContext = TemporalContext()
    clarify: bool = False
    ambiguity: AmbiguityType | None = None
    answer: str | None = None
    understood: bool = True


class ResearchLimits(BaseModel):
    """What a run may spend; taken from the settings by its first node."""

    enabled: bool = True
    iterations: int = 3
    searches: int = 2
    rewrites: int = 2
    fixes: int = 1


class ResearchState(BaseModel):
    """Everything a research run knows.

    Attributes:
        query: what is asked.
        mode: strict, discovery or monitor.
        query_id: name of the run's logs.
        corpus: where the back end searches: a folder, a .jsonl of items, or a back end's address; empty takes
            what the settings name.
        items: sources the caller brings along, as NLWeb Items; no back end is asked first.
        temporal_context: the time the query is about.
        clarify: True if a person may be asked what an ambiguous query means.
        ambiguity: what makes the query ambiguous, or None.
        replay: manifest whose recorded searches and replies are used instead of a back end and models.
        today: day of the run, ISO.
        seed: from which the fences around source text are made.
        backend: name of the back end, with the embedder it used.
        judges: True if the models can judge; else code writes and reviews.
        models, windows: provider:model and tokens by role.
        asked: the query as it was before an answer narrowed it, and the answer.
        readings: what an ambiguous query may mean.
        iteration: rounds of analyst and critic begun so far; a search for what is missing begins none.
        reviews, rewrites, fixes: rounds spent.
        gap_rounds: searches the analyst asked for.
        sources: those in use, best first.
        dropped: sources the mode ruled out: url, site, tier, reason.
        shown: numbers of the sources a model was shown, or code drew on.
        left_out: passages the last prompt had no room for.
        searches: queries asked.
        other_languages: number of sources in other languages than the query, set where code found no
            answer to a part of it.
        review: the last review.
        avoided: sentences code copied and the check did not let pass; a revised copy does without them.
        report: the report with {cite:N}, N the number of a source.
        checked_report: the same as it was checked, sources counted from 1 in the order of `cited`.
        cited: numbers of the sources in the order they are cited.
        findings: the checker's word on each sentence.
        removed: sentences that were fixed, marked or dropped.
        result: the NLWeb Items that are the answer.
    """

    query: str = ""
    mode: Mode = "discovery"
    query_id: str = ""
    corpus: str = ""
    items: list[dict[str, Any]] = Field(default_factory=list)
    temporal_context: TemporalContext = TemporalContext()
    clarify: bool = False
    ambiguity: AmbiguityType | None = None
    replay: str = ""

    today: str = ""
    seed: str = ""
    backend: str = ""
    judges: bool = True
    models: dict[str, str] = Field(default_factory=dict)
    windows: dict[str, int] = Field(default_factory=dict)
    asked: Asked = Asked()
    readings: ClarificationOutput | None = None
    limits: ResearchLimits = ResearchLimits()

    iteration: int = 0
    reviews: int = 0
    gap_rounds: int = 0
    rewrites: int = 0
    fixes: int = 0

    brought: list[str] = Field(default_factory=list)
    sources: list[Source] = Field(default_factory=list)
    dropped: list[dict[str, Any]] = Field(default_factory=list)
    shown: list[int] = Field(default_factory=list)
    left_out: int = 0
    searches: list[Search] = Field(default_factory=list)

    analysis: AnalystOutput | None = None
    review: CriticOutput | None = None
    extractive: bool = False
    avoided: list[str] = Field(default_factory=list)
    other_languages: dict[str, int] = Field(default_factory=dict)
    report: str = ""
    confidence_level: ConfidenceLevel = "Medium"
    methodology_note: str = ""
    checked_report: str = ""
    cited: list[int] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list)
    removed: list[Finding] = Field(default_factory=list)
    unfixed: bool = False
    contradictions: list[ClaimStances] = Field(default_factory=list)

    exchanges: list[Exchange] = Field(default_factory=list)
    timeline: list[Moment] = Field(default_factory=list)
    usage: dict[str, RoleUsage] = Field(default_factory=dict)
    notes: list[str] = Field(default_factory=list)
    no_data: str = ""
    failure: Failure | None = None
    confidence_ceiling: ConfidenceLevel = "High"
    status: Literal["running", "reported", "no_data", "error"] = "running"
    manifest: str = ""
    result: list[dict[str, Any]] = Field(default_factory=list)

    remaining_steps: RemainingSteps = 100

    @field_validator("query")
    @classmethod
    def _printable(cls, query: str) -> str:
        return query.encode("utf-8", "replace").decode("utf-8").strip()

    @property
    def rejected(self) -> bool:
        """True if the last review did not let the draft pass."""
        return self.review is not None and self.review.status == "REJECT"

    def source(self, number: int) -> Source | None:
        """The source of a number, or None."""
        return next((source for source in self.sources if source.number == number), None)
