/** A word to the reader that is set apart: what went wrong, or what should be known. */
import type { ComponentChildren } from "preact";

import { Icon } from "./icon.tsx";

type Kind = "bad" | "warn" | "plain";

export function Notice({ kind, children, urgent = false }: { kind: Kind; children: ComponentChildren; urgent?: boolean }) {
  return (
    <div class={`notice ${kind}`} role={urgent ? "alert" : undefined}>
      {kind !== "plain" && <Icon name={kind} />}
      <div>{children}</div>
    </div>
  );
}
