"""The one settings schema. `configs/loading.py` fills it from files, environment and flags.

Section names are those of the documents this project grew from (reasoning, graph, reflect,
experience, traces, reasoning_trace, profiles); models, embeddings, tools, mcp, checkpoints,
research, contractive, tutor, audit, collective and telemetry are ours.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from configs.audit import AuditSettings
from configs.collective import CollectiveSettings
from configs.contractive import ContractiveSettings
from configs.mcp import McpSettings
from configs.research import ResearchSettings
from configs.section import Address, Ceiling, KeyName, Location, Reserved, Section
from configs.telemetry import TelemetrySettings
from configs.tutor import TutorSettings

Strategy = Literal["loop_v1", "graph_v2", "graph_v30"]
ProfileName = Literal["safe", "dev", "sovereign"]
ApprovalChoice = Literal["ask", "yes", "dry_run"]
SandboxChoice = Literal["auto", "required", "bwrap", "landlock", "policy"]
POSTGRES_SCHEMES = ("postgres://", "postgresql://")
Role = Literal["classifier", "planner", "worker", "verifier", "critic", "tutor", "analyst", "writer"]


_TRUSTING = "a project cannot vouch for itself"


class ReflectionBudget(Section):
    """How many reflections a goal of each complexity may spend."""

    bypass: int = Field(0, ge=0, le=20, description="Reflections of a goal that is answered without tools.")
    simple: int = Field(0, ge=0, le=20, description="Reflections of a goal that one look answers.")
    moderate: int = Field(1, ge=0, le=20, description="Reflections of a goal of a few steps.")
    complex: int = Field(3, ge=0, le=20, description="Reflections of a goal of many steps.")


class ReasoningSettings(Section):
    """Which wiring runs, and how much it may reflect."""

    strategy: Strategy = Field(
        "graph_v30",
        description="Wiring of the nodes: loop_v1 retries failed steps, graph_v2 lets REFLECT plan anew, "
        "graph_v30 reflects and plans apart.",
    )
    max_reflections: ReflectionBudget = ReflectionBudget()
    verify: Literal["complex", "model_plans", "all"] = Field(
        "model_plans",
        description="Which plans pass VERIFY: COMPLEX ones only, those a model wrote too, or all.",
    )
    pause_below: float | None = Field(
        None,
        ge=0,
        le=1,
        description="An answer whose confidence is below this is put to a person first; unset: never.",
    )


class GraphSettings(Section):
    """Limits of one run."""

    max_iterations: int = Field(50, ge=5, le=1000, description="Graph steps before a run must answer.")
    max_plan_retries: int = Field(2, ge=0, le=10, description="Planner calls after an invalid plan.")
    max_step_retries: int = Field(
        2, ge=0, le=10, description="Tries a failed step gets after the first one; loop_v1 only."
    )
    timeout_per_step: float = Field(60.0, gt=0, le=3600, description="Seconds one step may run.")
    timeout_per_node: float | None = Field(
        None,
        gt=0,
        le=86_400,
        description="Seconds one visit to a node may take; unset: what its calls may take, added up.",
    )
    complexity_bypass_threshold: float = Field(
        0.9, ge=0, le=1, description="Score a goal needs to be answered without tools."
    )


class ReflectSettings(Section):
    """What REFLECT may look at before it diagnoses."""

    enabled: bool = Field(True, description="Reflect on failed steps; off: a failed run is answered as one.")
    use_shell: bool = Field(True, description="Run read-only probes before diagnosing.")
    read_only: Literal[True] = Field(True, description="Probes only read; nothing can change that.")
    allowed_tools: tuple[str, ...] = Field(
        ("ls", "find", "grep", "head", "tail", "wc", "cat", "pwd"), description="Tools a probe may use."
    )
    max_commands: int = Field(5, ge=0, le=20, description="Probes per reflection.")
    shell_timeout: float = Field(30.0, gt=0, le=600, description="Seconds one probe may run.")
    max_context_chars: int = Field(
        2000, ge=200, le=100_000, description="Characters kept of what one probe printed."
    )


class ExperienceSettings(Section):
    """Where past runs are kept, and how they are searched."""

    enabled: bool = Field(True, description="Keep runs, and show planners what earlier ones teach.")
    global_root: Annotated[str, Location()] = Field(
        "~/.reflect", description="Holds experience/events.jsonl of all projects."
    )
    project_root: Annotated[str, Location()] = Field(
        ".reflect", description="The same for one project; relative to its root."
    )
    global_max_age_days: int = Field(
        90, ge=1, description="Older records of all projects are not recalled, unless they helped."
    )
    project_max_age_days: int = Field(
        30, ge=1, description="Older records of the project are not recalled, unless they helped."
    )
    top_k: int = Field(5, ge=1, le=50, description="Records one search gives at most.")
    url_env: Annotated[str | None, Reserved("what your runs do would go to a database it chose")] = Field(
        None,
        description="Variable that holds a postgres:// URL; hosts that name one database share records.",
    )
    project_id: Annotated[
        str | None, Reserved("it could be shown, and add to, what another project keeps")
    ] = Field(
        None,
        min_length=1,
        max_length=200,
        description="Name under which hosts share the records of this project; unset: only those of all "
        "projects are shared.",
    )
    chroma_url_env: Annotated[str | None, Reserved("your searches would go to a server it chose")] = Field(
        None,
        description="Variable that holds the http:// or https:// URL of a Chroma server, which then has "
        "the vectors.",
    )
    similarity_threshold: float | None = Field(
        None, ge=0, le=1, description="Cosine below which nothing is alike; unset: measured for the model."
    )


class TraceSettings(Section):
    """One JSONL of events per session, beside the corpus."""

    enabled: bool = Field(True, description="Write the events of each session to a file.")
    path: Annotated[str, Location()] = Field(
        ".reflect/reasoning_traces", description="Directory of those files, relative to the project root."
    )
    max_per_session: int = Field(1000, ge=1, description="Events one session's file holds at most.")


class ReasoningTraceSettings(Section):
    """The reasoning trace; commitments are checked whether or not it is kept."""

    enabled: bool = Field(False, description="Keep decisions, evidence and corrections of a session.")
    context: Literal["examples", "trace", "both"] = Field(
        "both", description="What a planner is shown when it is kept: past runs, this session, or both."
    )
    refuse_unmet: bool = Field(
        False, description="Call a run failed, not partial, when something it promised was not done."
    )


class ModelSettings(Section):
    """One role's model. Unset fields are inherited from `models.default`."""

    name: str | None = Field(None, description="provider:model, e.g. ollama:qwen2.5:7b.")
    base_url: Annotated[str | None, Address("models")] = Field(
        None, description="Address of the server, for ollama: and openai:."
    )
    base_urls: Annotated[
        tuple[str, ...] | None, Reserved("your prompts would be sent to servers it chose"), Address("models")
    ] = Field(
        None,
        description="Addresses of several servers that have the same models, used instead of `base_url`; "
        "each call goes to one that is free, and on to another if that one fails.",
    )
    api_key_env: Annotated[str | None, KeyName()] = Field(
        None, description="Variable that holds the key, for openai:."
    )
    temperature: float | None = Field(
        None, ge=0, le=2, description="How freely replies are drawn; 0 takes the likeliest word each time."
    )
    num_ctx: int | None = Field(None, ge=256, description="Context window in tokens.")
    max_tokens: int | None = Field(None, ge=1, description="Longest reply in tokens.")
    timeout: float | None = Field(None, gt=0, description="Seconds one call may take.")
    keep_alive: str | None = Field(None, description="How long Ollama keeps the model loaded.")
    fallback: str | None = Field(None, description="provider:model used when this one cannot be reached.")


class DefaultModelSettings(ModelSettings):
    """The values every role starts from."""

    temperature: float = Field(
        0.0, ge=0, le=2, description="How freely replies are drawn; 0 takes the likeliest word each time."
    )
    num_ctx: int = Field(4096, ge=256, description="Context window in tokens.")
    max_tokens: int = Field(512, ge=1, description="Longest reply in tokens; half of num_ctx at most.")
    timeout: float = Field(120.0, gt=0, description="Seconds one call may take.")
    keep_alive: str = Field("5m", description="How long Ollama keeps the model loaded.")


class ModelsSettings(Section):
    """Models by role, and per-model tuning keyed by provider:model."""

    default: DefaultModelSettings = DefaultModelSettings()
    classifier: ModelSettings = ModelSettings()
    planner: ModelSettings = ModelSettings()
    worker: ModelSettings = ModelSettings()
    verifier: ModelSettings = ModelSettings()
    critic: ModelSettings = ModelSettings()
    tutor: ModelSettings = ModelSettings()
    analyst: ModelSettings = ModelSettings()
    writer: ModelSettings = ModelSettings()
    tuning: dict[str, ModelSettings] = Field(
        default_factory=dict, description="Values for one model whatever its role."
    )


class EmbeddingSettings(Section):
    """Which model turns text into vectors."""

    name: str = Field("minilm", description="minilm (offline) or ollama:MODEL.")
    base_url: Annotated[str | None, Address("models")] = Field(
        None, description="Address of the Ollama server that embeds; unset: the one OLLAMA_HOST names."
    )
    goals: Literal["auto", "e5", "minilm"] = Field(
        "auto",
        description="What goals are compared with labelled exemplars by: multilingual-e5-small where it runs "
        "(auto), it or nothing (e5), or MiniLM, which knows English best.",
    )


class ToolSettings(Section):
    """Limits of every tool call."""

    sandbox: Annotated[SandboxChoice, Ceiling(("bwrap", "required", "landlock", "auto", "policy"))] = Field(
        "auto",
        description="auto takes the highest of bwrap, landlock and policy that works; required fails closed "
        "unless it is one of the first two; a level that is named and does not work fails closed as well.",
    )
    approval: Annotated[ApprovalChoice, Ceiling(("dry_run", "ask", "yes"))] = Field(
        "ask", description="Before a change: ask a person, make it (yes), or only show it (dry_run)."
    )
    max_output_bytes: int = Field(1_000_000, ge=1000, description="A tool is stopped at this much output.")
    max_memory_mb: int = Field(1024, ge=64, description="Address space of one tool process.")
    state_output_bytes: int = Field(
        4096, ge=256, description="Longer outputs go to an artifact; the state keeps head and tail."
    )
    ignore: tuple[str, ...] = Field(
        (
            ".git",
            ".hg",
            ".svn",
            ".reflect",
            ".venv",
            "venv",
            "node_modules",
            "__pycache__",
            ".mypy_cache",
            ".pytest_cache",
            ".ruff_cache",
            ".tox",
            ".langgraph_api",
            ".ipynb_checkpoints",
        ),  # fmt: skip
        description="Directory names searches skip unless the goal names them.",
    )


class CheckpointSettings(Section):
    """Where threads are kept."""

    path: Annotated[str, Location(servers=POSTGRES_SCHEMES)] = Field(
        ".reflect/checkpoints.sqlite",
        description="A SQLite file, relative to the project root, or a postgres:// URL.",
    )
    url_env: Annotated[str | None, Reserved("your threads would be kept in a database it chose")] = Field(
        None, description="Variable that holds a postgres:// URL, used instead of `path`."
    )
    encryption_key_env: Annotated[
        str | None, Reserved("your threads would no longer be kept under your key", where_unset=True)
    ] = Field(
        None, description="Variable that holds an AES key (hexadecimal or base64); encrypts the threads."
    )
    busy_timeout: float = Field(10.0, gt=0, description="Seconds to wait for a locked database.")


class ProfileSettings(Section):
    """What a profile allows."""

    tools: Annotated[Literal["none", "read_write", "full"], Ceiling(("none", "read_write", "full"))] = Field(
        description="Whether a run has tools; read_write and full differ in name only."
    )
    # Neither of the others is part of the other: one sends nothing away, the other only that.
    models: Annotated[Literal["cloud", "any", "local"], Ceiling(("any",))] = Field(
        description="Models behind a remote address only, any, or those of this machine only."
    )
    reflection: Annotated[Literal["simple", "full"], Ceiling(("simple", "full"))] = Field(
        description="Whether REFLECT may look around with probes (full) before it diagnoses."
    )
    memory: Annotated[bool, Ceiling((False, True))] = Field(
        description="Whether runs are kept in the experience corpus, and recalled."
    )


class ProfilesSettings(Section):
    """The three profiles."""

    safe: ProfileSettings = ProfileSettings(tools="none", models="cloud", reflection="simple", memory=False)
    dev: ProfileSettings = ProfileSettings(tools="read_write", models="any", reflection="full", memory=True)
    sovereign: ProfileSettings = ProfileSettings(tools="full", models="local", reflection="full", memory=True)


class Settings(Section):
    """Everything that can be set. Precedence is in `configs/loading.py`."""

    trust: Annotated[bool, Reserved(_TRUSTING)] = Field(
        False, description="Take a project's settings file as if you had written it; meant for one run."
    )
    trusted_projects: Annotated[tuple[str, ...], Reserved(_TRUSTING)] = Field(
        (), description="Directories whose settings file is always taken so."
    )
    model: str | None = Field(None, description="provider:model for every role that names none.")
    profile: ProfileName = Field("dev", description="What tools and models may be used.")
    reasoning: ReasoningSettings = ReasoningSettings()
    graph: GraphSettings = GraphSettings()
    reflect: ReflectSettings = ReflectSettings()
    experience: ExperienceSettings = ExperienceSettings()
    traces: TraceSettings = TraceSettings()
    reasoning_trace: ReasoningTraceSettings = ReasoningTraceSettings()
    models: ModelsSettings = ModelsSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    tools: ToolSettings = ToolSettings()
    mcp: McpSettings = McpSettings()
    checkpoints: CheckpointSettings = CheckpointSettings()
    profiles: ProfilesSettings = ProfilesSettings()
    # A factory, because the default reads a file, which `reflect --help` need not.
    research: ResearchSettings = Field(default_factory=ResearchSettings)
    contractive: ContractiveSettings = ContractiveSettings()
    tutor: TutorSettings = TutorSettings()
    audit: AuditSettings = AuditSettings()
    collective: CollectiveSettings = CollectiveSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
