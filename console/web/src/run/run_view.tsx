/** Where a run is begun: which graph, what it is asked, by which model, about which directory. */
import { useEffect, useMemo, useState } from "preact/hooks";

import { goTo, route } from "../routing.ts";
import { remember, remembered } from "../remembered.ts";
import { Notice } from "../parts/notice.tsx";
import { useAsked } from "../parts/loading.ts";
import { ask, inWords } from "../server/connection.ts";
import { begin, client, type Context } from "../server/langgraph.ts";
import type { About, GraphAbout, Models } from "../server/shapes.ts";
import { givenFrom, GoalFields, inputFrom, type Given } from "./goal_fields.tsx";
import { SettingsForm, type Changed } from "./settings_form.tsx";
import { problemOf, sectionsOf, valueOf } from "./settings_schema.ts";

const LONGEST_GOAL = 300;

export function RunView({ about }: { about: About }) {
  const query = route.value.query;
  const thread = query.get("thread") ?? "";
  const wanted = query.get("graph") || remembered("graph");
  const [name, setName] = useState(wanted);
  const graph = about.graphs.find((one) => one.name === name) ?? about.graphs[0];
  const [root, setRoot] = useState(query.get("root") || remembered("root") || about.default_root || "");
  const [model, setModel] = useState(remembered("model"));
  const [given, setGiven] = useState<Given>({});
  const [changed, setChanged] = useState<Changed>({});
  const [problem, setProblem] = useState("");
  const [sending, setSending] = useState(false);
  useEffect(() => {
    const goal = query.get("goal");
    const first = graph?.fields[0];
    if (goal && first) setGiven({ [first.name]: goal });
  }, [query, graph]);
  if (!graph) return <Notice kind="bad">The server serves no graph.</Notice>;

  const start = async (event: Event) => {
    event.preventDefault();
    setSending(true);
    setProblem("");
    try {
      const context = await contextFrom(graph, root, model, changed);
      const id = await begun(graph, thread, inputFrom(graph.fields, given), context);
      for (const [key, value] of Object.entries({ graph: graph.name, root, model })) remember(key, value);
      goTo(["threads", id]);
    } catch (error) {
      setProblem(inWords(error));
      setSending(false);
    }
  };
  return (
    <div class="run">
      <h1 tabIndex={-1}>{thread ? "Ask more in this thread" : "New run"}</h1>
      {about.notes?.map((note) => (
        <Notice kind="warn" key={note}>
          {note}
        </Notice>
      ))}
      <form class="columns" onSubmit={(event) => void start(event)}>
        <div class="column">
          <section class="card">
            <GraphChoice about={about} graph={graph} fixed={Boolean(thread)} choose={(next) => (setName(next), setGiven({}))} />
            <GoalFields fields={graph.fields} given={given} change={setGiven} />
            <Examples graph={graph} choose={(input) => setGiven(givenFrom(graph.fields, input))} />
            {problem && (
              <Notice kind="bad" urgent>
                {problem}
              </Notice>
            )}
            <button type="submit" class="primary large" disabled={sending}>
              {sending ? "Starting…" : "Run"}
            </button>
          </section>
        </div>
        <div class="column side">
          <section class="card">
            <RootField about={about} root={root} change={setRoot} />
            <ModelField root={root} model={model} change={setModel} />
          </section>
          <details class="card settings-card">
            <summary>
              <h2>Settings</h2> <span class="muted">{Object.keys(changed).length ? `${Object.keys(changed).length} changed` : "as they are"}</span>
            </summary>
            <SettingsForm graph={graph.name} root={root} changed={changed} change={setChanged} />
          </details>
        </div>
      </form>
    </div>
  );
}

/** Only what was chosen goes along, so that files and environment keep their say about the rest. */
async function contextFrom(graph: GraphAbout, root: string, model: string, changed: Changed): Promise<Context> {
  const context: Context = {};
  if (root.trim()) context["root"] = root.trim();
  if (model.trim()) context["model"] = model.trim();
  if (!Object.keys(changed).length) return context;
  const assistant = (await client.assistants.search({ graphId: graph.name }))[0];
  const schema = assistant && (await client.assistants.getSchemas(assistant.assistant_id)).context_schema;
  for (const setting of sectionsOf(schema).flatMap((section) => section.settings)) {
    const text = changed[setting.key];
    if (text === undefined) continue;
    const problem = problemOf(setting, text);
    if (problem) throw new Error(`${setting.key}: ${problem}`);
    context[setting.key] = valueOf(setting, text);
  }
  return context;
}

/** Begin a run, in a thread of its own or in one that goes on; the thread's name. */
async function begun(graph: GraphAbout, thread: string, input: Record<string, unknown>, context: Context): Promise<string> {
  const goal = String(input[graph.fields[0]?.name ?? ""] ?? "").slice(0, LONGEST_GOAL);
  const metadata = { graph_id: graph.name, goal, console: { context } };
  const id = thread || (await client.threads.create({ metadata, graphId: graph.name })).thread_id;
  if (thread) await client.threads.update(thread, { metadata });
  await begin(id, { graph: graph.name, context, input });
  return id;
}

function GraphChoice({ about, graph, fixed, choose }: { about: About; graph: GraphAbout; fixed: boolean; choose: (name: string) => void }) {
  return (
    <div class="field">
      <label for="graph">Engine</label>
      <select id="graph" value={graph.name} disabled={fixed} onChange={(event) => choose(event.currentTarget.value)} aria-describedby="graph-help">
        {about.graphs.map((one) => (
          <option key={one.name} value={one.name}>
            {one.title}
          </option>
        ))}
      </select>
      <p class="muted help" id="graph-help">
        {graph.summary}
      </p>
    </div>
  );
}

function Examples({ graph, choose }: { graph: GraphAbout; choose: (input: Record<string, unknown>) => void }) {
  if (!graph.examples.length) return null;
  return (
    <div class="examples" role="group" aria-label="Examples">
      <span class="muted">Try</span>
      {graph.examples.map((example) => (
        <button key={example.text} type="button" class="quiet" onClick={() => choose(example.input)}>
          {example.text}
        </button>
      ))}
    </div>
  );
}

function RootField({ about, root, change }: { about: About; root: string; change: (root: string) => void }) {
  const known = useMemo(() => [...new Set([about.default_root, ...about.roots].filter((one): one is string => Boolean(one)))], [about]);
  return (
    <div class="field">
      <label for="root">Project directory</label>
      <input id="root" type="text" class="mono" list="roots" value={root} placeholder={about.default_root ?? "the server's own"} spellcheck={false} onInput={(event) => change(event.currentTarget.value)} aria-describedby="root-help" />
      <datalist id="roots">
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <p class="muted help" id="root-help">
        What the goal is about. The server's own, if left empty.
      </p>
    </div>
  );
}

function ModelField({ root, model, change }: { root: string; model: string; change: (model: string) => void }) {
  const asked = useAsked(root, () => ask<Models>("models", { root }));
  const models = asked.value.value;
  const usual = models?.default ? `${models.default} (${models.reason})` : (models?.reason ?? "as the settings say");
  return (
    <div class="field">
      <label for="model">Model</label>
      <input id="model" type="text" class="mono" list="models" value={model} placeholder={usual} spellcheck={false} onInput={(event) => change(event.currentTarget.value)} aria-describedby="model-help" />
      <datalist id="models">
        {models?.available.map((one) => (
          <option key={one.name} value={one.name}>
            {[one.size_bytes ? `${(one.size_bytes / 1e9).toFixed(1)} GB` : "", one.loaded ? "in memory" : ""].filter(Boolean).join(", ")}
          </option>
        ))}
      </datalist>
      <p class="muted help" id="model-help">
        {asked.value.loading ? "Looking for models…" : `Left empty: ${usual}.`}
      </p>
      {asked.value.problem && <Notice kind="warn">{asked.value.problem}</Notice>}
      {models?.problems.map((problem) => (
        <Notice kind="warn" key={problem}>
          {problem}
        </Notice>
      ))}
    </div>
  );
}
