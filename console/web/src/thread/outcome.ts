/** What a run came to, read from its state; each graph has names of its own for the same things. */
import type { Interrupt, Run, State, Values } from "../server/langgraph.ts";
import { isActive } from "../server/langgraph.ts";
import type { Progress } from "./progress.ts";

export type Standing = "running" | "waiting" | "stopped" | "good" | "warn" | "bad" | "idle";

export interface Evidence {
  where: string;
  text: string;
  note: string;
}

export interface Failure {
  what: string;
  remedy: string;
  kind: string;
  node: string;
}

export interface Outcome {
  standing: Standing;
  /** The standing in words, for every reader. */
  words: string;
  reason: string;
  goal: string;
  answer: string;
  confidence: string;
  evidence: Evidence[];
  notes: string[];
  failure: Failure | null;
  figures: [string, string][];
}

const STATUSES: Record<string, [Standing, string]> = {
  answered: ["good", "Answered"],
  reported: ["good", "Reported"],
  won: ["good", "Won"],
  partial: ["warn", "Answered in part"],
  uncertain: ["warn", "Uncertain: the answer is one of several"],
  could_not: ["bad", "Could not answer"],
  no_answer: ["bad", "No answer"],
  no_data: ["bad", "Not enough evidence to answer"],
  lost: ["bad", "Lost"],
  error: ["bad", "Failed"],
};

const REASONS: Record<string, string> = {
  max_reflections: "every way it tried failed",
  max_iterations: "it reached the limit of steps",
  no_plan: "no plan was found",
  verification_failed: "the draft did not hold when it was checked",
  timeout: "it ran out of time",
  user_abort: "you rejected it",
  interrupted: "it was interrupted",
  dry_run: "a dry run: nothing was changed",
  partial_success: "some of it was done",
  budget: "its budget was spent",
  max_loops: "it reached the limit of passes",
  cycle: "its answers went in a circle",
  diverging: "its answers did not come together",
  no_new_evidence: "nothing new was found",
};

export function outcomeOf(state: State | null, run: Run | null, { failure, last, values: live }: Progress): Outcome {
  const kept = (state?.values ?? {}) as Values;
  const [standing, words] = standingOf(state, run, kept, last !== "");
  const values = isActive(run) ? { ...kept, ...live } : kept;
  const told = failureOf(values["failure"]);
  return {
    standing,
    words,
    reason: standing === "running" || standing === "waiting" ? "" : reasonOf(values),
    goal: goalOf(values),
    answer: standing === "running" ? "" : answerOf(values),
    confidence: confidenceOf(values),
    evidence: evidenceOf(values),
    notes: texts(values["notes"]),
    failure: told ?? (failure && standing !== "running" ? { what: failure, remedy: "", kind: "", node: "" } : null),
    figures: figuresOf(values),
  };
}

/** Only a state that says how it ended has ended: an empty list of next nodes may be a run that was cut off. */
function standingOf(state: State | null, run: Run | null, values: Values, heard: boolean): [Standing, string] {
  if (run?.status === "pending" && !heard) return ["running", "Waiting for its turn"];
  if (isActive(run)) return ["running", "Running"];
  if (questionsOf(state).length) return ["waiting", "Waiting for you"];
  const known = STATUSES[String(values["status"] ?? "")];
  const unfinished = Boolean(state?.next?.length);
  if (known && !unfinished) return known;
  if (run?.status === "error") return ["bad", "Failed"];
  if (run || Object.keys(values).length) return ["stopped", "Stopped before it ended"];
  return ["idle", "Nothing was run yet"];
}

/** Questions a person has to answer before the run goes on. */
export function questionsOf(state: State | null): Interrupt[] {
  if (!state) return [];
  const direct = (state as unknown as { interrupts?: Interrupt[] }).interrupts;
  const found = direct?.length ? direct : (state.tasks ?? []).flatMap((task) => (task.interrupts ?? []) as Interrupt[]);
  return found;
}

export function goalOf(values: Values): string {
  const asked = values["asked"] as { query?: string } | null | undefined;
  const game = values["game"];
  const said = [values["said"], values["goal"], values["question"], asked?.query, values["query"]];
  const found = said.find((one) => typeof one === "string" && one);
  return String(found ?? (typeof game === "string" ? gameGoal(values) : ""));
}

function gameGoal(values: Values): string {
  const goal = (values["nodes"] as Record<string, { data?: { text?: string } }> | undefined)?.["g"]?.data?.text;
  return goal ?? `Game ${values["game"]}`;
}

function reasonOf(values: Values): string {
  const reason = String(values["stop_reason"] ?? values["ended"] ?? values["no_data"] ?? "");
  return REASONS[reason] ?? (["success", "bypass", "confident", "error"].includes(reason) ? "" : reason.replaceAll("_", " "));
}

function answerOf(values: Values): string {
  const items = values["result"];
  if (Array.isArray(items) && items.length) return items.map(itemText).filter(Boolean).join("\n\n");
  if (Array.isArray(values["answer"])) return wonBy(values);
  return String(values["final_answer"] ?? "");
}

function itemText(item: unknown): string {
  const description = (item as { description?: unknown }).description;
  return Array.isArray(description) ? description.map(String).join("\n") : String(description ?? "");
}

/** The claims that won a game. */
function wonBy(values: Values): string {
  const nodes = (values["nodes"] ?? {}) as Record<string, { data?: unknown }>;
  return texts(values["answer"])
    .map((name) => `${name}: ${JSON.stringify(nodes[name]?.data ?? {})}`)
    .join("\n");
}

function confidenceOf(values: Values): string {
  const level = values["confidence_level"];
  if (typeof level === "string" && values["status"] === "reported") return level;
  const given = values["confidence"] ?? (values["status"] === "won" ? values["justification"] : null);
  const answers = ["good", "warn"].includes(STATUSES[String(values["status"])]?.[0] ?? "");
  return typeof given === "number" && answers ? given.toFixed(2) : "";
}

function evidenceOf(values: Values): Evidence[] {
  const own = (Array.isArray(values["evidence"]) ? values["evidence"] : []) as unknown[];
  const found = own.filter((one) => typeof one === "object" && one !== null).map(toolEvidence);
  const findings = Object.values((values["findings"] ?? {}) as Record<string, Finding>);
  const chosen = values["chosen"];
  const told = findings.filter((one) => !chosen || one.id === chosen || findings.length === 1);
  const cited = (told.length ? told : findings).flatMap((finding) =>
    (finding.evidence ?? []).map((one) => ({ where: one.where, text: one.text ?? "", note: `${finding.id}, ${one.kind}` })),
  );
  return [...found, ...cited, ...sourcesOf(values)];
}

interface Finding {
  id: string;
  evidence?: { kind: string; where: string; text?: string }[];
}

function toolEvidence(one: unknown): Evidence {
  const { command, text, returncode, source } = one as Record<string, unknown>;
  const exit = Number(returncode ?? 0);
  const note = source === "computed" ? "computed" : exit ? `exit ${exit}` : "";
  return { where: source === "computed" ? String(command ?? "") : `$ ${command}`, text: String(text ?? ""), note };
}

function sourcesOf(values: Values): Evidence[] {
  const cited = Array.isArray(values["cited"]) ? (values["cited"] as number[]) : [];
  const sources = (Array.isArray(values["sources"]) ? values["sources"] : []) as Record<string, unknown>[];
  return cited.flatMap((number, index) => {
    const source = sources.find((one) => one["number"] === number);
    return source ? [{ where: `[${index + 1}] ${source["url"]}`, text: String(source["name"] ?? ""), note: `tier ${source["tier"]}` }] : [];
  });
}

function failureOf(value: unknown): Failure | null {
  if (!value || typeof value !== "object") return null;
  const { what, remedy, kind, node } = value as Record<string, unknown>;
  return { what: String(what ?? ""), remedy: String(remedy ?? ""), kind: String(kind ?? ""), node: String(node ?? "") };
}

interface Usage {
  calls?: number;
  prompt_tokens?: number;
  completion_tokens?: number;
  seconds?: number;
}

/** Calls, tokens and seconds of the models. */
function figuresOf(values: Values): [string, string][] {
  const given = (values["usage"] ?? {}) as Usage | Record<string, Usage>;
  const parts = isUsage(given) ? [given] : Object.values(given);
  const metrics = values["metrics"] as { calls?: number; tokens?: number; seconds?: number } | undefined;
  const sum = (name: keyof Usage) => parts.reduce((total, one) => total + (one[name] ?? 0), 0);
  const calls = metrics?.calls ?? sum("calls");
  const seconds = metrics?.seconds ?? sum("seconds");
  const tokens: [string, string][] = metrics?.tokens
    ? [["Tokens", metrics.tokens.toLocaleString("en")]]
    : [
        ["Tokens read", sum("prompt_tokens").toLocaleString("en")],
        ["Tokens written", sum("completion_tokens").toLocaleString("en")],
      ];
  return [["Model calls", String(calls)], ...tokens, [metrics ? "Seconds" : "Seconds of models", seconds.toFixed(1)]];
}

function isUsage(value: object): value is Usage {
  return "calls" in value && typeof (value as Usage).calls === "number";
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map((one) => (typeof one === "string" ? one : JSON.stringify(one))) : [];
}
