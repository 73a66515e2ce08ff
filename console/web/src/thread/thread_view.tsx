/** A thread: what it is asked, how it stands, what it does, and what came of it. */
import { useEffect, useMemo } from "preact/hooks";

import { Badge } from "../parts/icon.tsx";
import { announce } from "../parts/announcer.tsx";
import { LongText } from "../parts/long_text.tsx";
import { Notice } from "../parts/notice.tsx";
import { Question } from "../questions/question.tsx";
import { isActive } from "../server/langgraph.ts";
import { AnswerPanel } from "./answer_panel.tsx";
import { Elapsed } from "./elapsed.tsx";
import { EnginesPanel } from "./engines_panel.tsx";
import { Following } from "./following.ts";
import { GraphView } from "./graph_view.tsx";
import { DraftPanel, LogPanel } from "./log_panel.tsx";
import { MemoryPanel } from "./memory_panel.tsx";
import { outcomeOf, questionsOf, type Outcome } from "./outcome.ts";
import { PlanPanel } from "./plan_panel.tsx";
import { nodesFrom } from "./state_visits.ts";
import { ThreadTabs } from "./thread_tabs.tsx";

export function ThreadView({ id }: { id: string }) {
  const following = useMemo(() => new Following(id), [id]);
  useEffect(() => {
    following.start();
    return () => following.stop();
  }, [following]);
  const outcome = outcomeOf(following.state.value, following.run.value, following.progress.value);
  const loaded = following.thread.value !== null;
  useEffect(() => {
    if (loaded) announce(outcome.words);
  }, [loaded, outcome.words]);
  if (following.missing.value) return <Missing id={id} why={following.missing.value} />;
  const goal = outcome.goal || String((following.thread.value?.metadata as { goal?: string } | null)?.goal ?? "");
  return (
    <div class="thread">
      <ThreadTabs id={id} now="run" root={String(following.context["root"] ?? "")} />
      <header class="thread-head">
        <h1 tabIndex={-1}>{loaded ? <LongText text={goal || "A thread without a goal"} label="Goal" /> : "Loading…"}</h1>
        {loaded && <StandingLine following={following} outcome={outcome} />}
      </header>
      <LinkNotice following={following} />
      {loaded && <Body following={following} outcome={outcome} />}
    </div>
  );
}

function Missing({ id, why }: { id: string; why: string }) {
  return (
    <div class="thread">
      <h1 tabIndex={-1}>This thread cannot be opened here</h1>
      <Notice kind="bad">{why}</Notice>
      <p>
        The server opens the threads it keeps itself. A thread of the command line is read in <a href={`#/threads/${encodeURIComponent(id)}/report`}>its report</a> and{" "}
        <a href={`#/threads/${encodeURIComponent(id)}/trace`}>its trace</a>, and gone on with by <code>reflect resume {id}</code>.
      </p>
      <p>
        <a href="#/threads">All threads</a>
      </p>
    </div>
  );
}

function StandingLine({ following, outcome }: { following: Following; outcome: Outcome }) {
  const active = isActive(following.run.value);
  const busy = following.sending.value;
  return (
    <div class="standing">
      <Badge standing={outcome.standing}>
        {outcome.words}
        {outcome.reason && `: ${outcome.reason}`}
      </Badge>
      <span class="muted">{following.graph}</span>
      {String(following.context["model"] ?? "") && <span class="muted">{String(following.context["model"])}</span>}
      <Elapsed run={following.run.value} />
      <span class="grow" />
      {active && (
        <button type="button" class="danger" disabled={busy} onClick={() => void following.cancel()}>
          Cancel
        </button>
      )}
      {outcome.standing === "stopped" && (
        <button type="button" class="primary" disabled={busy} onClick={() => void following.go()}>
          Go on
        </button>
      )}
    </div>
  );
}

function LinkNotice({ following }: { following: Following }) {
  return (
    <>
      {following.link.value === "lost" && (
        <Notice kind="warn" urgent>
          The connection to the server is lost. Trying again; nothing is lost of what it tells.
        </Notice>
      )}
      {following.problem.value && (
        <Notice kind="bad" urgent>
          {following.problem.value}
        </Notice>
      )}
    </>
  );
}

function Body({ following, outcome }: { following: Following; outcome: Outcome }) {
  const state = following.state.value;
  const progress = following.progress.value;
  const active = isActive(following.run.value);
  const own = progress.engines.get("");
  const nodes = own?.nodes.size ? own.nodes : nodesFrom(state);
  const questions = active ? [] : questionsOf(state);
  return (
    <div class="columns">
      <div class="column">
        {questions.map((one) => (
          <Question
            key={one.id}
            interrupt={one}
            busy={following.sending.value}
            answer={(value) => void following.go({ resume: one.id ? { [one.id]: value } : value })}
          />
        ))}
        {outcome.standing === "stopped" && (
          <Notice kind="warn">
            This run has not ended: it was cancelled, or the server stopped. What it has done is kept; <strong>Go on</strong> takes it up where it stood.
          </Notice>
        )}
        <AnswerPanel outcome={outcome} graph={following.graph} thread={following.id} root={String(following.context["root"] ?? "")} />
        <PlanPanel live={own?.plan ?? null} values={state?.values ?? {}} active={active} />
        <DraftPanel draft={[...progress.drafts.values()].at(-1) ?? null} active={active} />
        <LogPanel lines={progress.lines} active={active} />
      </div>
      <aside class="column side" aria-label="Graph and figures">
        {following.graph && (
          <section class="card" aria-label="Graph">
            <GraphView graph={following.graph} nodes={nodes} passed={own?.passed ?? new Set()} />
          </section>
        )}
        <EnginesPanel engines={progress.engines} />
        <MemoryPanel facts={following.facts.value} values={{ ...state?.values, ...(active ? progress.values : {}) }} />
        <Figures outcome={outcome} />
      </aside>
    </div>
  );
}

function Figures({ outcome }: { outcome: Outcome }) {
  return (
    <section class="card" aria-labelledby="figures">
      <h2 id="figures">Cost</h2>
      <dl class="figures">
        {outcome.figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
