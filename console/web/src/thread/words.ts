/** Events of `nodes/reflective/progress_events.py` in words; the command line words them in `cli/live.py`. */

export type Tone = "plain" | "quiet" | "good" | "warn" | "bad";

export interface Line {
  text: string;
  tone: Tone;
  /** How far it is set in: 0 for a turn of the run, 1 for what happens within. */
  depth: number;
}

export type Told = { kind: string } & Record<string, unknown>;

const LONGEST = 2000;

function plain(text: string, depth = 0): Line {
  return { text, tone: "plain", depth };
}

function toned(tone: Tone, text: string, depth = 1): Line {
  return { text, tone, depth };
}

const WORDS: Record<string, (told: Told) => Line | null> = {
  model: (told) => toned("quiet", `model ${told["model"]} (${told["reason"]})`, 0),
  follow_up: (told) => plain(`read as: ${told["read_as"]}`),
  plan: (told) => plain(`plan of ${counted(told["steps"], "step")} from ${told["recipe"] ? `recipe ${told["recipe"]}` : told["source"]}`),
  plan_refused: (told) => toned("warn", `plan refused: ${told["error"]}`),
  model_call: (told) => toned("quiet", `asking the ${told["role"]} (attempt ${told["attempt"]})`),
  thinking: (told) => toned("quiet", `the ${told["role"]} thought ${told["chars"]} characters`),
  role_failed: (told) => toned("warn", `the ${told["role"]} did not answer: ${told["error"]}`),
  step: (told) => plain(`step ${told["num"]}/${told["of"]} ${told["description"]}`),
  step_done: (told) => toned(told["status"] === "success" ? "good" : told["status"] === "skipped" ? "quiet" : "bad", `${stepWord(told)} $ ${short(told["command"])}`),
  probe: (told) => toned("quiet", `probe $ ${told["command"]}`),
  reflection: (told) => toned("warn", `diagnosis: ${told["diagnosis"]}`),
  verified: (told) =>
    told["passed"] ? toned("good", "verified") : toned("warn", `not verified: ${listed(told["findings"], "; ")}`),
  research: (told) => plain(`${told["node"]}: ${told["what"]}`),
  contractive: (told) => contractive(told),
  child: (told) => plain(`${told["id"]} is asked: ${told["question"]}`),
  child_done: (told) => toned(told["status"] === "answered" ? "good" : "warn", `${told["id"]}: ${told["status"]}`, 0),
  tutor: (told) => plain(`turn ${told["turn"]} ${told["move"]} ${told["outcome"]}: ${told["message"]}`),
  tutor_menu: (told) => toned("quiet", `a menu of ${counted(told["items"], "move")}`),
  tutor_end: (told) =>
    toned(told["status"] === "won" ? "good" : "warn", `${told["status"]} (${told["ended"]}) after ${told["turns"]} turns, score ${told["score"]}`, 0),
  routed: (told) => plain(`engine: ${told["engine"]}, because ${told["why"]}`),
  specialists_routed: (told) => plain(`specialists: ${listed(told["chosen"], ", ") || "none"} (by ${told["by"]})`),
  audit: (told) => toned("quiet", `${told["kernel"]} ${told["done"]} of ${told["of"]} files`),
  specialists_merged: (told) => plain(`${told["status"]}, ${told["claims"]} claims`),
  answer: (told) => plain(`ends: ${told["status"]} (${told["stop_reason"]})`),
};

/** An event as a line; null for a kind that people are not shown. */
export function lineOf(told: Told): Line | null {
  const line = WORDS[told.kind]?.(told) ?? null;
  return line && { ...line, text: line.text.slice(0, LONGEST) };
}

/** The plan and the trace hold a command whole. */
function short(command: unknown): string {
  const text = String(command ?? "");
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

function stepWord(told: Told): string {
  const status = String(told["status"]);
  return status === "success" ? "done" : status === "failed" ? `failed (exit ${told["returncode"]})` : status;
}

function counted(value: unknown, thing: string): string {
  const count = Array.isArray(value) ? value.length : 0;
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

function listed(value: unknown, between: string): string {
  return Array.isArray(value) ? value.map(String).join(between) : "";
}

/** What happened to a question of contractive reasoning, with the facts that matter most. */
function contractive(told: Told): Line {
  const facts = (told["facts"] ?? {}) as Record<string, unknown>;
  const where = told["node"] ? `${told["node"]} ` : "";
  const what = String(told["type"] ?? "").replaceAll("_", " ");
  const details: Record<string, () => string> = {
    state_changed: () => `${facts["before"]} → ${facts["after"]}`,
    node_created: () => String(facts["question"] ?? ""),
    normalized: () => String(facts["question"] ?? ""),
    sampled: () => `uncertainty ${figure(facts["uncertainty"])}, ${facts["samples"] ?? "?"} samples`,
  };
  const quiet = told["type"] === "state_changed";
  const text = `${where}${what}: ${details[String(told["type"])]?.() ?? ""}`.replace(/: $/, "");
  return { text, tone: quiet ? "quiet" : told["type"] === "call_failed" ? "warn" : "plain", depth: 1 };
}

function figure(value: unknown): string {
  return typeof value === "number" ? value.toFixed(2) : "?";
}
