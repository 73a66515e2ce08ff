/** A new branch of a thread: the state of a checkpoint, changed by a person, gone on with. */
import { useState } from "preact/hooks";

import { Notice } from "../parts/notice.tsx";
import { inWords } from "../server/connection.ts";
import { begin, client, contextOf, currentRun, type Context, type State, type Thread, type Values } from "../server/langgraph.ts";
import type { ThreadMetadata } from "../thread/following.ts";

/** The field of a state that holds what was asked, whatever the graph calls it. */
const GOALS = ["goal", "question", "query"];

interface ForkProps {
  thread: Thread;
  state: State;
  before: State | undefined;
  done: () => void;
}

export function ForkForm({ thread, state, before, done }: ForkProps) {
  const held = stateAt(state);
  const goalField = GOALS.find((name) => typeof held[name] === "string" && held[name]);
  const [goal, setGoal] = useState(goalField ? String(held[goalField]) : "");
  const [text, setText] = useState("{}");
  const [problem, setProblem] = useState("");
  const [sending, setSending] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setSending(true);
    setProblem("");
    try {
      const changes = { ...changesFrom(text), ...(goalField && goal !== held[goalField] ? { [goalField]: goal } : {}) };
      await fork(thread, state, before, changes);
      done();
    } catch (error) {
      setProblem(inWords(error));
      setSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {goalField && (
        <label class="field">
          <span>{goalField}</span>
          <textarea rows={3} value={goal} onInput={(event) => setGoal(event.currentTarget.value)} />
        </label>
      )}
      <label class="field">
        <span>
          Other fields to change <span class="muted">(JSON object)</span>
        </span>
        <textarea class="mono" rows={4} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {problem && (
        <Notice kind="bad" urgent>
          {problem}
        </Notice>
      )}
      <button type="submit" class="primary" disabled={sending}>
        {sending ? "Forking…" : "Fork and run"}
      </button>
    </form>
  );
}

/** Before the first step the input is still on its way into the state. */
function stateAt(state: State): Values {
  const input = state.tasks?.find((task) => task.name === "__start__") as { result?: unknown } | undefined;
  const given = input?.result;
  return { ...(typeof given === "object" && given ? (given as Values) : {}), ...state.values };
}

function changesFrom(text: string): Values {
  let read: unknown;
  try {
    read = text.trim() ? JSON.parse(text) : {};
  } catch (error) {
    throw new Error(`The fields to change are no JSON: ${inWords(error)}`);
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw new Error("The fields to change are one JSON object.");
  return read as Values;
}

async function fork(thread: Thread, state: State, before: State | undefined, changes: Values): Promise<void> {
  const metadata = (thread.metadata ?? {}) as ThreadMetadata;
  const ran = (await currentRun(thread.thread_id)) as { kwargs?: { context?: Context } } | null;
  const context = ran?.kwargs?.context ?? metadata.console?.context ?? contextOf(state);
  const graph = metadata.graph_id ?? String((state.metadata as { graph_id?: string } | null)?.graph_id ?? "");
  const checkpoint = state.checkpoint.checkpoint_id ?? "";
  if (state.next.includes("__start__")) {
    // The input is given anew: nothing has read it yet.
    const input = { ...stateAt(state), ...changes };
    await begin(thread.thread_id, { graph, context, input, checkpoint });
    return;
  }
  const at = Object.keys(changes).length ? await edited(thread.thread_id, state, before, changes) : checkpoint;
  await begin(thread.thread_id, { graph, context, input: null, checkpoint: at });
}

/** The checkpoint with the changes, as if the node that made it had written them. */
async function edited(thread: string, state: State, before: State | undefined, changes: Values): Promise<string> {
  const nodes = before?.next ?? [];
  const answer = await client.threads.updateState(thread, {
    values: changes,
    checkpointId: state.checkpoint.checkpoint_id ?? undefined,
    ...(nodes.length === 1 && nodes[0] ? { asNode: nodes[0] } : {}),
  });
  const made = (answer as { checkpoint?: { checkpoint_id?: string } }).checkpoint?.checkpoint_id;
  if (!made) throw new Error("The server did not say which checkpoint it made.");
  return made;
}
