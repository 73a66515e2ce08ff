/** Icons of the page: strokes on a field of 16 by 16, in the colour of the text beside them. */
import type { Standing } from "../thread/outcome.ts";

const SHAPES = {
  good: "M3 8.5 6.5 12 13 4.5",
  warn: "M8 2.5 14.5 13.5H1.5ZM8 6.5v3.5M8 12v.2",
  bad: "M4 4l8 8M12 4l-8 8",
  running: "M8 2a6 6 0 1 0 6 6",
  waiting: "M5.6 6.2A2.5 2.5 0 1 1 8 8.7v1.2M8 12.4v.2",
  stopped: "M5 4v8M11 4v8",
  idle: "M3 8h10",
  branch: "M4 3v10M4 9c5 0 7-2 7-6M9 5l2-2 2 2",
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** How something stands: a sign and a word, in a colour that says the same. */
export function Badge({ standing, children }: { standing: Standing; children: preact.ComponentChildren }) {
  return (
    <span class={`badge ${standing}`}>
      <Icon name={standing} />
      <span>{children}</span>
    </span>
  );
}
