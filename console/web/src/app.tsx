/** The page: its frame, and the view the address names. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { CorpusView } from "./corpus/corpus_view.tsx";
import { HealthView } from "./health/health_view.tsx";
import { HistoryView } from "./history/history_view.tsx";
import { PageView } from "./pages/page_view.tsx";
import { Announcer } from "./parts/announcer.tsx";
import { Notice } from "./parts/notice.tsx";
import { place, route } from "./routing.ts";
import { RunView } from "./run/run_view.tsx";
import { ask, inWords, refused } from "./server/connection.ts";
import type { About } from "./server/shapes.ts";
import { ThreadView } from "./thread/thread_view.tsx";
import { ThreadsView } from "./threads/threads_view.tsx";
import { TokenScreen } from "./token_screen.tsx";

const about = signal<About | null>(null);
const problem = signal("");
const tried = signal(0);

export async function readAbout(): Promise<void> {
  problem.value = "";
  try {
    about.value = await ask<About>("about");
  } catch (error) {
    problem.value = inWords(error);
  }
  tried.value += 1;
}

const LINKS = [
  ["run", "Run"],
  ["threads", "Threads"],
  ["corpus", "Corpus"],
  ["health", "Health"],
] as const;

export function App() {
  const main = useRef<HTMLElement>(null);
  const now = place.value;
  const first = useRef(true);
  useEffect(() => {
    const heading = main.current?.querySelector<HTMLElement>("h1");
    document.title = `${heading?.textContent?.slice(0, 60) ?? "Console"} · Reflective Graph`;
    // Focus follows the view, but the first one leaves it where the browser put it.
    if (!first.current) heading?.focus();
    first.current = false;
  }, [now]);
  const section = route.value.path[0] ?? "run";
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.querySelector<HTMLElement>("h1")?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <span class="brand">Reflective Graph</span>
        <nav aria-label="Console">
          {LINKS.map(([name, title]) => (
            <a key={name} href={`#/${name}`} aria-current={section === name ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" ref={main}>
        <Content />
      </main>
      <Announcer />
    </>
  );
}

function Content() {
  const known = about.value;
  if (!known) {
    return (
      <>
        <h1 tabIndex={-1}>Console</h1>
        {problem.value ? (
          <Notice kind="bad" urgent>
            {problem.value}{" "}
            <button type="button" onClick={() => void readAbout()}>
              Try again
            </button>
          </Notice>
        ) : (
          <p class="muted">Loading…</p>
        )}
      </>
    );
  }
  const locked = known.token_required && (!known.welcome || refused.value);
  if (locked) return <TokenScreen wrong={tried.value > 1} retry={() => void readAbout()} />;
  return <View about={known} />;
}

function View({ about: known }: { about: About }) {
  const [section = "run", id, view] = route.value.path;
  if (section === "run") return <RunView key={`${route.value.query.get("thread")}`} about={known} />;
  if (section === "threads" && id) {
    if (view === "history") return <HistoryView key={id} id={id} />;
    if (view === "report" || view === "trace") return <PageView key={`${id} ${view}`} id={id} page={view} />;
    return <ThreadView key={id} id={id} />;
  }
  if (section === "threads") return <ThreadsView about={known} />;
  if (section === "corpus") return <CorpusView about={known} />;
  if (section === "health") return <HealthView about={known} />;
  return (
    <>
      <h1 tabIndex={-1}>There is no such page</h1>
      <p>
        <a href="#/run">Begin a run</a>
      </p>
    </>
  );
}
