/**
 * What a run has told so far, read from its events one by one; pure, so the same events make the same picture
 * however often the page is loaded.
 *
 * Events of an engine inside another come with a namespace, `node:task|node:task`. A child is told apart by
 * the namespace it was announced with; the run itself is the child named "".
 */
import type { StreamEvent } from "../server/langgraph.ts";
import { lineOf, type Line, type Told } from "./words.ts";

const MOST_LINES = 2000;
const MOST_DRAFTS = 8;
const SHOWN_LIVE = ["usage", "metrics", "recalled", "notes"];
/** Tokens of a draft that are kept; the answer itself comes with the state. */
const LONGEST_DRAFT = 20_000;

export interface Visits {
  count: number;
  active: number;
  failed: boolean;
}

export interface PlanStep {
  num: number;
  description: string;
  status: string;
  command: string;
}

export interface LivePlan {
  source: string;
  steps: PlanStep[];
}

/** A run, or an engine that works inside of it. */
export interface Engine {
  namespace: string;
  id: string;
  worker: string;
  question: string;
  status: string;
  nodes: Map<string, Visits>;
  /** Edges the engine went along, `source>target`. */
  passed: Set<string>;
  /** Nodes of the step that is done, and of the one at work: all of a step end before the next begins. */
  before: string[];
  now: string[];
  plan: LivePlan | null;
}

/** Words of a model as they come; nothing of it has been checked. */
export interface Draft {
  role: string;
  node: string;
  engine: string;
  structured: boolean;
  text: string;
  thinking: string;
  chars: number;
}

export interface NumberedLine extends Line {
  number: number;
  engine: string;
  /** Of the event in the stream, which begins with the time it was written. */
  place: string;
}

export interface Progress {
  last: string;
  engines: Map<string, Engine>;
  lines: NumberedLine[];
  told: number;
  /** By message, the one begun last at the end: engines side by side speak in turns. */
  drafts: Map<string, Draft>;
  /** What the nodes of the run itself wrote last, of the fields that are shown while it goes on. */
  values: Record<string, unknown>;
  failure: string;
}

export function nothingYet(): Progress {
  const run = engineOf("", "", "");
  return { last: "", engines: new Map([["", run]]), lines: [], told: 0, drafts: new Map(), values: {}, failure: "" };
}

function engineOf(namespace: string, id: string, worker: string, question = ""): Engine {
  return { namespace, id, worker, question, status: "running", nodes: new Map(), passed: new Set(), before: [], now: ["__start__"], plan: null };
}

/** The progress with some more events. */
export function withEvents(before: Progress, events: StreamEvent[]): Progress {
  const after = { ...before, engines: new Map(before.engines), lines: [...before.lines], drafts: new Map(before.drafts) };
  for (const event of events) {
    if (event.id) after.last = event.id;
    take(after, event);
  }
  if (after.lines.length > MOST_LINES) after.lines.splice(0, after.lines.length - MOST_LINES);
  return after;
}

function take(progress: Progress, event: StreamEvent): void {
  const [name = "", ...rest] = event.event.split("|");
  const namespace = rest.join("|");
  if (name === "tasks") takeTask(progress, namespace, event.data as Task);
  else if (name === "custom") takeCustom(progress, namespace, event.data as Told);
  else if (name === "messages") takeMessage(progress, namespace, event.data);
  else if (name === "error") progress.failure = failureOf(event.data);
}

function failureOf(data: unknown): string {
  const { error, message } = (data ?? {}) as { error?: string; message?: string };
  return [error, message].filter(Boolean).join(": ") || JSON.stringify(data);
}

/** The engine with the longest announced namespace that an event's own begins with. */
function heard(progress: Progress, namespace: string): Engine {
  let found = progress.engines.get("") ?? engineOf("", "", "");
  for (const engine of progress.engines.values()) {
    const inside = namespace === engine.namespace || namespace.startsWith(`${engine.namespace}|`);
    if (engine.namespace && inside && engine.namespace.length > found.namespace.length) found = engine;
  }
  return found;
}

function change(progress: Progress, engine: Engine, values: Partial<Engine>): Engine {
  const changed = { ...engine, ...values };
  progress.engines.set(changed.namespace, changed);
  return changed;
}

interface Task {
  id: string;
  name: string;
  input?: unknown;
  error?: unknown;
  result?: unknown;
  interrupts?: unknown[];
}

/** A task that begins lights its node; one that ends, or waits for a person, puts it out. */
function takeTask(progress: Progress, namespace: string, task: Task): void {
  const engine = heard(progress, namespace);
  // What runs inside a node, but is no engine of its own, belongs to that node.
  if (namespace !== engine.namespace) return;
  const before = engine.nodes.get(task.name) ?? { count: 0, active: 0, failed: false };
  const begins = "input" in task;
  const failed = begins ? before.failed : Boolean(task.error);
  const visits = begins
    ? { count: before.count + 1, active: before.active + 1, failed: false }
    : { ...before, active: Math.max(0, before.active - 1), failed };
  const went = begins ? step(engine, task.name) : {};
  change(progress, engine, { nodes: new Map(engine.nodes).set(task.name, visits), ...went });
  if (!begins && !engine.namespace) progress.values = { ...progress.values, ...liveOf(task.result) };
  if (failed && !begins) {
    say(progress, engine, { text: `${task.name} failed: ${inWords(task.error)}`, tone: "bad", depth: 1 });
  }
}

/** An error as the server tells it: a text, or its class and a message. */
function inWords(error: unknown): string {
  if (typeof error === "string") return error;
  const { error: kind, message } = (error ?? {}) as { error?: unknown; message?: unknown };
  return typeof kind === "string" && typeof message === "string" ? `${kind}: ${message}` : JSON.stringify(error);
}

/** Where a task that begins came from. */
function step(engine: Engine, name: string): Partial<Engine> {
  const ended = engine.now.every((one) => !engine.nodes.get(one)?.active);
  const before = ended ? engine.now : engine.before;
  const now = ended ? [name] : [...engine.now, name];
  return { before, now, passed: new Set([...engine.passed, ...before.map((one) => `${one}>${name}`)]) };
}

function liveOf(result: unknown): Record<string, unknown> {
  if (typeof result !== "object" || result === null) return {};
  return Object.fromEntries(Object.entries(result).filter(([name]) => SHOWN_LIVE.includes(name)));
}

function takeCustom(progress: Progress, namespace: string, told: Told): void {
  if (told.kind === "child") {
    const child = engineOf(String(told["namespace"]), String(told["id"]), String(told["worker"]));
    change(progress, child, { question: String(told["question"] ?? "") });
  } else if (told.kind === "child_done") {
    const open = [...progress.engines.values()].filter((one) => one.id === told["id"] && one.namespace);
    const child = open.reverse().find((one) => one.status === "running");
    if (child) change(progress, child, { status: String(told["status"]), nodes: quiet(child.nodes) });
  }
  const engine = heard(progress, namespace);
  if (told.kind === "plan") change(progress, engine, { plan: planOf(told) });
  else if (told.kind === "step" || told.kind === "step_done") change(progress, engine, { plan: stepped(engine.plan, told) });
  const line = lineOf(told);
  if (line) say(progress, engine, line);
}

function say(progress: Progress, engine: Engine, line: Line): void {
  progress.told += 1;
  progress.lines.push({ ...line, number: progress.told, engine: engine.id, place: progress.last });
}

/** What an engine that has ended was doing it does no longer. */
function quiet(nodes: Map<string, Visits>): Map<string, Visits> {
  return new Map([...nodes].map(([name, visits]) => [name, { ...visits, active: 0 }]));
}

function planOf(told: Told): LivePlan {
  const source = told["recipe"] ? `recipe ${told["recipe"]}` : String(told["source"] ?? "");
  const texts = Array.isArray(told["steps"]) ? told["steps"] : [];
  const steps = texts.map((text, index) => ({
    num: index + 1,
    description: String(text),
    status: "pending",
    command: "",
  }));
  return { source, steps };
}

function stepped(plan: LivePlan | null, told: Told): LivePlan | null {
  const known = plan ?? { source: "", steps: [] };
  const num = Number(told["num"]);
  const before = known.steps.find((step) => step.num === num);
  const step =
    told.kind === "step"
      ? { num, description: String(told["description"] ?? ""), status: "running", command: "" }
      : {
          num,
          description: before?.description ?? "",
          status: String(told["status"] ?? ""),
          command: String(told["command"] ?? ""),
        };
  const steps = before ? known.steps.map((one) => (one.num === num ? step : one)) : [...known.steps, step];
  return { ...known, steps };
}

interface Piece {
  id?: string;
  content?: unknown;
  additional_kwargs?: { reasoning_content?: unknown };
}

interface PieceAbout {
  langgraph_node?: string;
  role?: string;
  structured?: boolean;
}

function takeMessage(progress: Progress, namespace: string, data: unknown): void {
  const [piece, about] = (Array.isArray(data) ? data : [data, {}]) as [Piece, PieceAbout];
  const engine = heard(progress, namespace);
  const text = contentOf(piece.content);
  const thinking = String(piece.additional_kwargs?.reasoning_content ?? "");
  const message = piece.id ?? "";
  const before = progress.drafts.get(message);
  progress.drafts.set(message, {
    role: about.role ?? before?.role ?? "",
    node: about.langgraph_node ?? before?.node ?? "",
    engine: engine.id,
    structured: Boolean(about.structured ?? before?.structured),
    text: cut((before?.text ?? "") + text),
    thinking: cut((before?.thinking ?? "") + thinking),
    chars: (before?.chars ?? 0) + text.length + thinking.length,
  });
  const [oldest] = progress.drafts.keys();
  if (progress.drafts.size > MOST_DRAFTS && oldest !== undefined) progress.drafts.delete(oldest);
}

function cut(text: string): string {
  return text.length > LONGEST_DRAFT ? text.slice(-LONGEST_DRAFT) : text;
}

function contentOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((one) => (typeof one === "string" ? one : String((one as { text?: unknown }).text ?? ""))).join("");
}

/** The run ended, or waits: nothing is active any more, and no draft is being written. */
export function atRest(progress: Progress): Progress {
  const engines = [...progress.engines].map(([name, engine]): [string, Engine] => [
    name,
    { ...engine, nodes: quiet(engine.nodes) },
  ]);
  return { ...progress, engines: new Map(engines), drafts: new Map() };
}
