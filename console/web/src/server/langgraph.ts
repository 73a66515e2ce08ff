/**
 * LangGraph's own API as the console uses it.
 *
 * The client never repeats a request by itself: a run that is begun twice would do its work twice. Where a
 * stream breaks off, `thread/following.ts` goes on after the last event that came.
 */
import { Client } from "@langchain/langgraph-sdk/client";
import type { Assistant, AssistantGraph, Run, Thread, ThreadState } from "@langchain/langgraph-sdk";

import { reach, server } from "./connection.ts";

export type { Assistant, Run, Thread };
export type Values = Record<string, unknown>;
export type State = ThreadState<Values>;
export type Context = Record<string, unknown>;

/** A question of a run to a person, and the name by which its answer finds it. */
export interface Interrupt {
  id?: string;
  value: unknown;
}

/** One event of a run: its name, what it tells, and the place in the stream to go on from. */
export interface StreamEvent {
  id?: string;
  event: string;
  data: unknown;
}

/** Without the header by which the client would join a broken stream anew, unseen. */
const reachOnce: typeof fetch = async (input, init) => {
  const response = await reach(input, init);
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return response;
  const headers = new Headers(response.headers);
  headers.delete("Location");
  return new Response(response.body, { status: response.status, headers });
};

export const client = new Client<Values>({
  apiUrl: server,
  apiKey: null,
  callerOptions: { maxRetries: 0, maxConcurrency: 20, fetch: reachOnce },
});

const assistants = new Map<string, Promise<Assistant>>();

/** The assistant the server made for a graph. */
export function assistantOf(graph: string): Promise<Assistant> {
  const known = assistants.get(graph) ?? searched(graph);
  assistants.set(graph, known);
  known.catch(() => assistants.delete(graph));
  return known;
}

async function searched(graph: string): Promise<Assistant> {
  const found = await client.assistants.search({ graphId: graph, limit: 100 });
  const assistant = found.find((one) => one.metadata?.["created_by"] === "system") ?? found[0];
  if (!assistant) throw new Error(`The server has no graph named ${graph}.`);
  return assistant;
}

const graphs = new Map<string, Promise<AssistantGraph>>();

/** The nodes and edges of a graph. */
export function drawingOf(graph: string): Promise<AssistantGraph> {
  const known = graphs.get(graph) ?? assistantOf(graph).then((one) => client.assistants.getGraph(one.assistant_id));
  graphs.set(graph, known);
  known.catch(() => graphs.delete(graph));
  return known;
}

/** Choices of a run that have a short name; all others are settings by their dotted keys. */
const SHORT_NAMES = ["root", "model", "profile", "strategy", "approval"];

/** What the run that made a state was begun with, as its checkpoint tells; texts, numbers and the like. */
export function contextOf(state: State | null): Context {
  const told = Object.entries((state?.metadata ?? {}) as Record<string, unknown>);
  const ours = told.filter(([name, value]) => value !== null && (SHORT_NAMES.includes(name) || name.includes(".")));
  return Object.fromEntries(ours);
}

export interface Beginning {
  graph: string;
  context: Context;
  input?: Values | null;
  resume?: unknown;
  checkpoint?: string;
}

/** Begin a run, or go on with one, in the background of the server; no tab is needed for it to end. */
export async function begin(thread: string, { graph, context, input, resume, checkpoint }: Beginning): Promise<Run> {
  const assistant = await assistantOf(graph);
  return client.runs.create(thread, assistant.assistant_id, {
    context,
    ...(resume === undefined ? { input: input ?? null } : { command: { resume } }),
    ...(checkpoint ? { checkpointId: checkpoint } : {}),
    streamMode: ["tasks", "custom", "messages-tuple"],
    streamSubgraphs: true,
    streamResumable: true,
    multitaskStrategy: "reject",
  });
}

/** The events of a run that come after one, or all of them. */
export async function* eventsOf(
  thread: string,
  run: string,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  yield* client.runs.joinStream(thread, run, { signal, lastEventId: after || "-1" });
}

/** The run of a thread that goes on or waits for its turn, or the newest one; none in a thread without runs. */
export async function currentRun(thread: string): Promise<Run | null> {
  const runs = await client.runs.list(thread, { limit: 10 });
  return runs.find(isActive) ?? runs[0] ?? null;
}

export function isActive(run: Run | null): boolean {
  return run !== null && (run.status === "running" || run.status === "pending");
}
