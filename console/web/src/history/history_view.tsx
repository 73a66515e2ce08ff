/** Time travel: every checkpoint of a thread, what it held, and a new branch from any of them. */
import { useState } from "preact/hooks";

import { JsonView } from "../parts/json_view.tsx";
import { LongText } from "../parts/long_text.tsx";
import { Notice } from "../parts/notice.tsx";
import { Icon } from "../parts/icon.tsx";
import { useAsked } from "../parts/loading.ts";
import { when } from "../parts/when.ts";
import { goTo, replaceQuery, route } from "../routing.ts";
import { client, type State, type Thread } from "../server/langgraph.ts";
import { nodeName } from "../thread/node_names.ts";
import { goalOf } from "../thread/outcome.ts";
import { ThreadTabs } from "../thread/thread_tabs.tsx";
import { differences, type Difference } from "./differences.ts";
import { ForkForm } from "./fork_form.tsx";

const MOST = 200;

async function historyOf(id: string): Promise<{ thread: Thread; states: State[] }> {
  const [thread, states] = await Promise.all([client.threads.get(id), client.threads.getHistory(id, { limit: MOST })]);
  return { thread, states: states as State[] };
}

export function HistoryView({ id }: { id: string }) {
  const asked = useAsked(id, () => historyOf(id));
  const { value, problem, loading } = asked.value;
  const wanted = route.value.query.get("at") ?? "";
  const states = value?.states ?? [];
  const chosen = states.find((one) => nameOf(one) === wanted) ?? states[0];
  return (
    <div class="history">
      <ThreadTabs id={id} now="history" root={rootOf(states[0])} />
      <h1 tabIndex={-1}>Time travel</h1>
      {value && <p class="muted one-line">{goalOf(states[0]?.values ?? {})}</p>}
      {problem && <Notice kind="bad">{problem}</Notice>}
      {loading && <p class="muted">Loading…</p>}
      {value && !states.length && <p>This thread has no checkpoint yet.</p>}
      {chosen && value && (
        <div class="columns">
          <CheckpointList states={states} chosen={chosen} />
          <CheckpointView key={nameOf(chosen)} thread={value.thread} state={chosen} before={parentOf(chosen, states)} />
        </div>
      )}
    </div>
  );
}

export function nameOf(state: State): string {
  return state.checkpoint?.checkpoint_id ?? "";
}

function rootOf(state: State | undefined): string {
  const root = (state?.metadata as { root?: unknown } | null | undefined)?.root;
  return typeof root === "string" ? root : "";
}

function parentOf(state: State, states: State[]): State | undefined {
  return states.find((one) => nameOf(one) === state.parent_checkpoint?.checkpoint_id);
}

/** What made a checkpoint: the nodes its parent stood before, the caller's input, or an edit. */
function madeBy(state: State, states: State[]): string {
  const source = (state.metadata as { source?: string } | null)?.source;
  if (source === "input") return "input";
  if (source === "update") return "edited";
  if (source === "fork") return "fork";
  const nodes = parentOf(state, states)?.next ?? [];
  return nodes.map(nodeName).join(", ") || "step";
}

function CheckpointList({ states, chosen }: { states: State[]; chosen: State }) {
  return (
    <nav class="column checkpoints card" aria-label="Checkpoints, the newest first">
      <ol reversed>
        {states.map((state, index) => {
          const branches = index > 0 && states[index - 1]?.parent_checkpoint?.checkpoint_id !== nameOf(state);
          return (
            <li key={nameOf(state)}>
              <button type="button" class="quiet" aria-current={state === chosen ? "true" : undefined} onClick={() => replaceQuery({ at: nameOf(state) })}>
                <span class="step-number">{String((state.metadata as { step?: number } | null)?.step ?? "")}</span>
                <span class="grow">
                  {madeBy(state, states)}
                  <span class="muted"> {state.next.length ? `→ ${state.next.map(nodeName).join(", ")}` : "end"}</span>
                </span>
                {branches && (
                  <span class="muted" title="Another branch begins after this checkpoint">
                    <Icon name="branch" />
                    <span class="unseen">Another branch begins here</span>
                  </span>
                )}
                <span class="muted time">{when(state.created_at)}</span>
              </button>
            </li>
          );
        })}
      </ol>
      {states.length === MOST && <p class="muted">The newest {MOST} checkpoints.</p>}
    </nav>
  );
}

function CheckpointView({ thread, state, before }: { thread: Thread; state: State; before: State | undefined }) {
  const [forking, setForking] = useState(false);
  const found = before ? differences(before.values, state.values) : [];
  return (
    <div class="column wide">
      <section class="card" aria-labelledby="differences">
        <h2 id="differences">
          {before ? "What this step changed" : "Where the thread begins"} <span class="muted">{before && `(${found.length})`}</span>
        </h2>
        {found.map((one) => (
          <DifferenceView key={one.path} difference={one} />
        ))}
        {before && !found.length && <p class="muted">Nothing.</p>}
      </section>
      <section class="card" aria-labelledby="state">
        <h2 id="state">State</h2>
        <JsonView name="values" value={state.values} open />
        <JsonView name="metadata" value={state.metadata} />
        <JsonView name="tasks" value={state.tasks} />
      </section>
      <section class="card" aria-labelledby="fork">
        <h2 id="fork">Fork</h2>
        <p class="muted">Go on from here with what you change. What followed before stays in the list as a branch of its own.</p>
        {forking ? (
          <ForkForm thread={thread} state={state} before={before} done={() => goTo(["threads", thread.thread_id])} />
        ) : (
          <button type="button" class="primary" onClick={() => setForking(true)}>
            Fork from here…
          </button>
        )}
      </section>
    </div>
  );
}

function DifferenceView({ difference }: { difference: Difference }) {
  const { path, kind, before, after } = difference;
  return (
    <details class="difference">
      <summary>
        <span class={`change ${kind}`}>{kind}</span> <span class="mono">{path}</span>
        <span class="muted one-line">{brief(kind === "removed" ? before : after)}</span>
      </summary>
      {kind !== "added" && <JsonOrText label="before" value={before} />}
      {kind !== "removed" && <JsonOrText label="after" value={after} />}
    </details>
  );
}

function brief(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value) ?? "").slice(0, 90);
}

function JsonOrText({ label, value }: { label: string; value: unknown }) {
  if (typeof value === "string") return <div class="json-leaf long"><span class="json-name">{label}</span><LongText text={value} label={label} /></div>;
  return <JsonView name={label} value={value} open />;
}
