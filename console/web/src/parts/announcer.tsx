/** One live region for the whole page: says what changed, not every token that came. */
import { signal } from "@preact/signals";

const said = signal("");

export function announce(text: string): void {
  if (said.peek() !== text) said.value = text;
}

export function Announcer() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
