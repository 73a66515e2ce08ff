/** How long a run has been going on, or took. */
import { useEffect, useState } from "preact/hooks";

import { isActive, type Run } from "../server/langgraph.ts";

export function Elapsed({ run }: { run: Run | null }) {
  const [now, setNow] = useState(Date.now());
  const active = isActive(run);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [active]);
  if (!run) return null;
  const end = active ? now : Date.parse(run.updated_at);
  const seconds = Math.max(0, (end - Date.parse(run.created_at)) / 1000);
  return <span class="muted elapsed">{worded(seconds)}</span>;
}

function worded(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
