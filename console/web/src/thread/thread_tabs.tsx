/** The views of one thread. */
import { to } from "../routing.ts";

const VIEWS = [
  ["run", "Run"],
  ["history", "Time travel"],
  ["report", "Report"],
  ["trace", "Trace"],
] as const;

export type ThreadPlace = (typeof VIEWS)[number][0];

export function ThreadTabs({ id, now, root }: { id: string; now: ThreadPlace; root: string }) {
  return (
    <nav class="tabs" aria-label="Views of the thread">
      {VIEWS.map(([view, title]) => (
        <a key={view} href={to(view === "run" ? ["threads", id] : ["threads", id, view], { root })} aria-current={view === now ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
