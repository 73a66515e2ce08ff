/**
 * A thread as it is followed: what the server keeps of it, and what its run tells while it goes on.
 *
 * A run is followed by its resumable stream: from its first event when the view opens, after the last one
 * that came when the connection broke. So no event is lost and none counts twice, in however many tabs.
 */
import { batch, signal } from "@preact/signals";

import { ask, inWords, ServerProblem } from "../server/connection.ts";
import {
  begin,
  client,
  contextOf,
  currentRun,
  eventsOf,
  isActive,
  type Beginning,
  type Context,
  type Run,
  type State,
  type StreamEvent,
  type Thread,
} from "../server/langgraph.ts";
import type { ThreadFacts } from "../server/shapes.ts";
import { atRest, nothingYet, withEvents, type Progress } from "./progress.ts";
import { StreamPlace } from "./stream_place.ts";

const WATCH_MS = 3000;
const LONGEST_WAIT_MS = 3000;

export type Link = "connecting" | "ok" | "lost";

export interface ThreadMetadata {
  graph_id?: string;
  goal?: string;
  console?: { context?: Context };
}

export class Following {
  readonly thread = signal<Thread | null>(null);
  readonly run = signal<Run | null>(null);
  readonly state = signal<State | null>(null);
  readonly facts = signal<ThreadFacts | null>(null);
  readonly progress = signal<Progress>(nothingYet());
  readonly link = signal<Link>("connecting");
  readonly problem = signal("");
  /** Why nothing can be shown, in words; empty if something can. */
  readonly missing = signal("");
  readonly sending = signal(false);

  private readonly over = new AbortController();
  private reading = new AbortController();
  private waiting: StreamEvent[] = [];
  private drawn = false;
  private lastRun = "";
  private timer = 0;

  constructor(readonly id: string) {}

  start(): void {
    void this.load();
    this.timer = window.setInterval(() => void this.watch(), WATCH_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.over.abort();
    this.reading.abort();
  }

  /** What the run was begun with; a run that is gone on with is begun with the same. */
  get context(): Context {
    const ran = (this.run.value as { kwargs?: { context?: Context } } | null)?.kwargs?.context;
    const told = contextOf(this.state.value);
    return ran ?? this.metadata.console?.context ?? told;
  }

  get graph(): string {
    return this.metadata.graph_id ?? this.facts.value?.graph ?? "";
  }

  private get metadata(): ThreadMetadata {
    return (this.thread.value?.metadata ?? {}) as ThreadMetadata;
  }

  /** Read the thread anew and follow its run. */
  async load(): Promise<void> {
    try {
      const thread = await this.known();
      const [run, state] = await Promise.all([currentRun(this.id), client.threads.getState(this.id)]);
      batch(() => {
        this.thread.value = thread;
        this.run.value = run;
        this.state.value = state;
        this.link.value = "ok";
        this.missing.value = "";
      });
      if (run && run.run_id !== this.lastRun) void this.follow(run);
      // A run that goes on has said nothing in the files yet.
      if (!isActive(run)) await this.readFacts();
    } catch (error) {
      this.failed(error);
    }
  }

  /** The thread; one that the server's registry lost, but whose files are there, is known again. */
  private async known(): Promise<Thread> {
    try {
      return await client.threads.get(this.id);
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.status !== 404) throw error;
      const facts = await ask<ThreadFacts>(`threads/${encodeURIComponent(this.id)}`);
      return client.threads.create({ threadId: this.id, ifExists: "do_nothing", graphId: facts.graph });
    }
  }

  private async readFacts(): Promise<void> {
    const root = this.context["root"];
    const query = { root: typeof root === "string" ? root : undefined };
    try {
      this.facts.value = await ask<ThreadFacts>(`threads/${encodeURIComponent(this.id)}`, query);
    } catch (error) {
      // A thread that has just begun has left nothing in the project's files yet.
      if (!(error instanceof ServerProblem) || error.status !== 404) throw error;
    }
  }

  private failed(error: unknown): void {
    if (this.over.signal.aborted) return;
    if (error instanceof ServerProblem && error.status === 0) this.link.value = "lost";
    else if (!this.thread.value) this.missing.value = inWords(error);
    else this.problem.value = inWords(error);
  }

  /** Another tab, or a program, may have gone on with the thread; a lost server may have come back. */
  private async watch(): Promise<void> {
    if (document.hidden || this.sending.value || isActive(this.run.value)) return;
    if (this.missing.value && this.link.value !== "lost") return;
    try {
      const thread = await client.threads.get(this.id);
      const changed = thread.updated_at !== this.thread.value?.updated_at || this.link.value === "lost";
      if (changed) await this.load();
    } catch (error) {
      const forgotten = error instanceof ServerProblem && error.status === 404;
      if (forgotten && this.thread.value) await this.load();
      else this.failed(error);
    }
  }

  /** Read a run's events to its end, over every break of the connection. */
  private async follow(run: Run): Promise<void> {
    this.reading.abort();
    const reading = new AbortController();
    this.reading = reading;
    this.lastRun = run.run_id;
    this.progress.value = nothingYet();
    const runs = await this.runsOfGoal(run).catch(() => [run]);
    for (const one of runs) {
      const ended = await this.read(one, reading.signal);
      if (!ended) return;
    }
    this.draw();
    this.progress.value = atRest(this.progress.value);
    await this.settle();
  }

  /** The run with those before it that it goes on from: answers to questions begin runs of their own. */
  private async runsOfGoal(newest: Run): Promise<Run[]> {
    const all = await client.runs.list(this.id, { limit: 100 });
    const older = all.filter((one) => one.created_at <= newest.created_at);
    older.sort((one, other) => one.created_at.localeCompare(other.created_at));
    const first = older.findLastIndex((one) => beginsGoal(one));
    return older.slice(Math.max(0, first));
  }

  private async read(run: Run, signal: AbortSignal): Promise<boolean> {
    const place = new StreamPlace();
    for (let tries = 0; ; ) {
      try {
        for await (const event of eventsOf(this.id, run.run_id, place.joined(), signal)) {
          tries = 0;
          if (this.link.value !== "ok") this.link.value = "ok";
          if (place.isNew(event)) this.take(event);
        }
        const now = await client.runs.get(this.id, run.run_id);
        if (run.run_id === this.lastRun) this.run.value = now;
        this.link.value = "ok";
        if (!isActive(now)) return true;
      } catch (error) {
        if (signal.aborted) return false;
        if (error instanceof ServerProblem && error.status !== 0 && error.status < 500) {
          this.link.value = "ok";
          return error.status !== 401;
        }
        this.link.value = "lost";
      }
      tries += 1;
      await pause(Math.min(LONGEST_WAIT_MS, 200 * 2 ** tries), signal);
      if (signal.aborted) return false;
    }
  }

  /** Events are drawn together once a frame, so a flood of tokens cannot hold the page up. */
  private take(event: StreamEvent): void {
    this.waiting.push(event);
    if (this.drawn) return;
    this.drawn = true;
    if (document.hidden) setTimeout(() => this.draw(), 50);
    else requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.drawn = false;
    if (!this.waiting.length) return;
    const events = this.waiting;
    this.waiting = [];
    this.progress.value = withEvents(this.progress.value, events);
  }

  /** The state as the ended run left it. */
  private async settle(): Promise<void> {
    try {
      const thread = await this.known();
      const [run, state] = await Promise.all([currentRun(this.id), client.threads.getState(this.id)]);
      batch(() => {
        this.thread.value = thread;
        this.state.value = state;
        this.run.value = run;
      });
      await this.readFacts();
      if (run && run.run_id !== this.lastRun) void this.follow(run);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Begin a run in this thread: an answer to a question, or the rest of what was cut off. */
  async go(what: Omit<Beginning, "graph" | "context"> = {}): Promise<boolean> {
    return this.doing(async () => {
      const run = await begin(this.id, { graph: this.graph, context: this.context, ...what });
      this.run.value = run;
      this.lastRun = run.run_id;
      void this.goOnReading(run);
    });
  }

  private async goOnReading(run: Run): Promise<void> {
    this.reading.abort();
    this.reading = new AbortController();
    if (await this.read(run, this.reading.signal)) {
      this.draw();
      this.progress.value = atRest(this.progress.value);
      await this.settle();
    }
  }

  async cancel(): Promise<boolean> {
    const run = this.run.value;
    if (!run) return false;
    return this.doing(() => client.runs.cancel(this.id, run.run_id, true, "interrupt"));
  }

  private async doing(what: () => Promise<unknown>): Promise<boolean> {
    this.sending.value = true;
    this.problem.value = "";
    try {
      await what();
      return true;
    } catch (error) {
      this.problem.value = inWords(error);
      await this.load();
      return false;
    } finally {
      this.sending.value = false;
    }
  }
}

function beginsGoal(run: Run): boolean {
  const { input, command } = (run as unknown as { kwargs?: { input?: unknown; command?: unknown } }).kwargs ?? {};
  return !command && input !== null && input !== undefined;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
