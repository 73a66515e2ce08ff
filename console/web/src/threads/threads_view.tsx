/** All threads: those of the server and those in the project's files, whoever began them. */
import { useState } from "preact/hooks";

import { Badge } from "../parts/icon.tsx";
import { Notice } from "../parts/notice.tsx";
import { useAsked } from "../parts/loading.ts";
import { printable } from "../parts/printable.ts";
import { when } from "../parts/when.ts";
import { remembered } from "../remembered.ts";
import { replaceQuery, route, to } from "../routing.ts";
import { ask, inWords } from "../server/connection.ts";
import { client, type Thread } from "../server/langgraph.ts";
import type { About, ProjectThreads, ThreadAbout } from "../server/shapes.ts";
import type { Standing } from "../thread/outcome.ts";
import type { ThreadMetadata } from "../thread/following.ts";

const MOST = 200;

interface Row {
  id: string;
  graph: string;
  goal: string;
  standing: Standing;
  words: string;
  at: string;
  served: boolean;
  root: string;
}

interface Listing {
  rows: Row[];
  total: number;
  problem: string;
}

export function ThreadsView({ about }: { about: About }) {
  const query = route.value.query;
  const root = query.get("root") ?? remembered("root");
  const [search, setSearch] = useState(query.get("q") ?? "");
  const asked = useAsked(root, () => listed(root));
  const { value, problem, loading } = asked.value;
  const rows = (value?.rows ?? []).filter((row) => fits(row, search));
  return (
    <div>
      <h1 tabIndex={-1}>Threads</h1>
      <form class="bar" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>Search</span>
          <input type="search" value={search} placeholder="goal, graph, status, name" onInput={(event) => (setSearch(event.currentTarget.value), replaceQuery({ root, q: event.currentTarget.value }))} />
        </label>
        <label class="field">
          <span>Directory</span>
          <select value={root} onChange={(event) => replaceQuery({ root: event.currentTarget.value, q: search })}>
            {[...new Set(["", root, ...about.roots])].map((one) => (
              <option key={one} value={one}>
                {one || "the server's own"}
              </option>
            ))}
          </select>
        </label>
      </form>
      {(problem || value?.problem) && <Notice kind="warn">{problem || value?.problem}</Notice>}
      {loading && <p class="muted">Loading…</p>}
      {value && !rows.length && (
        <p class="muted">
          {value.rows.length ? "No thread is like this." : "There is no thread yet."} <a href="#/run">Begin a run</a>
        </p>
      )}
      <ul class="threads">
        {rows.map((row) => (
          <ThreadRow key={row.id} row={row} />
        ))}
      </ul>
      {value && value.total > value.rows.length && <p class="muted">The {value.rows.length} worked on last, of {value.total}.</p>}
    </div>
  );
}

function ThreadRow({ row }: { row: Row }) {
  const path = row.served ? ["threads", row.id] : ["threads", row.id, "report"];
  return (
    <li class="card thread-row">
      <a href={to(path, { root: row.root })} class="thread-link">
        {printable(row.goal).slice(0, 300) || row.id}
      </a>
      <div class="row-facts">
        <Badge standing={row.standing}>{row.words}</Badge>
        <span class="muted">{row.graph}</span>
        <span class="muted">{when(row.at)}</span>
        {!row.served && <span class="muted">command line, read only</span>}
      </div>
    </li>
  );
}

function fits(row: Row, search: string): boolean {
  const text = `${row.goal} ${row.graph} ${row.words} ${row.id}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** Both lists in one; where the server and the files know a thread, each tells what it knows best. */
async function listed(root: string): Promise<Listing> {
  const [served, project] = await Promise.allSettled([
    client.threads.search({ limit: MOST, sortBy: "updated_at", sortOrder: "desc" }),
    ask<ProjectThreads>("threads", { root: root || undefined, limit: MOST }),
  ]);
  const kept = project.status === "fulfilled" ? project.value.threads : [];
  const byId = new Map(kept.map((one) => [one.id, fromFiles(one)]));
  for (const thread of served.status === "fulfilled" ? served.value : []) {
    const row = fromServer(thread, byId.get(thread.thread_id));
    // With a directory chosen, what is known to be about another one is left out.
    if (!root || !row.root || row.root === root) byId.set(row.id, row);
  }
  const problems = [served, project].flatMap((one) => (one.status === "rejected" ? [inWords(one.reason)] : []));
  const rows = [...byId.values()].sort((one, other) => other.at.localeCompare(one.at));
  const total = project.status === "fulfilled" ? Math.max(project.value.total ?? 0, rows.length) : rows.length;
  return { rows, total, problem: problems.join(" ") };
}

const STANDINGS: Record<string, Standing> = {
  answered: "good",
  reported: "good",
  won: "good",
  partial: "warn",
  uncertain: "warn",
  could_not: "bad",
  no_answer: "bad",
  no_data: "bad",
  lost: "bad",
  error: "bad",
  waiting: "waiting",
  running: "running",
};

function standingOf(words: string): Standing {
  return STANDINGS[words.toLowerCase().replaceAll(" ", "_")] ?? "stopped";
}

function fromFiles(one: ThreadAbout): Row {
  const words = one.waiting ? "waiting" : one.standing;
  return {
    id: one.id,
    graph: one.graph,
    goal: one.goal,
    standing: standingOf(words),
    words: words === "waiting" ? "waiting for you" : words.replaceAll("_", " "),
    at: one.at,
    served: one.served ?? true,
    root: one.root ?? "",
  };
}

/** How the server itself says a thread stands; what its state says of the end counts for more. */
const SERVER_WORDS: Record<string, [Standing, string]> = {
  busy: ["running", "running"],
  interrupted: ["waiting", "waiting for you"],
  error: ["bad", "failed"],
  idle: ["idle", "idle"],
};

function fromServer(thread: Thread, files: Row | undefined): Row {
  const metadata = (thread.metadata ?? {}) as ThreadMetadata;
  const values = (thread.values ?? {}) as Record<string, unknown>;
  const status = String(values["status"] ?? "");
  const ended = thread.status === "idle" && STANDINGS[status] && status !== "running";
  const unfinished = thread.status === "idle" && status === "running";
  const [standing, words] = ended
    ? ([standingOf(status), status.replaceAll("_", " ")] as [Standing, string])
    : unfinished
      ? (["stopped", "stopped before it ended"] as [Standing, string])
      : (SERVER_WORDS[thread.status] ?? ["idle", thread.status]);
  const root = metadata.console?.context?.["root"];
  return {
    id: thread.thread_id,
    graph: metadata.graph_id ?? files?.graph ?? "",
    goal: metadata.goal || files?.goal || "",
    standing,
    words,
    at: thread.updated_at,
    served: true,
    root: typeof root === "string" ? root : (files?.root ?? ""),
  };
}
