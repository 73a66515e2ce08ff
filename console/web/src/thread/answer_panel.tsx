/** What came of a run: the answer if there is one, or why there is none, and what it rests on. */
import { to } from "../routing.ts";
import { LongText } from "../parts/long_text.tsx";
import { Notice } from "../parts/notice.tsx";
import { printable } from "../parts/printable.ts";
import type { Evidence, Outcome } from "./outcome.ts";

/** Graphs in whose threads one may go on asking. */
const TALKS = ["reflective", "contractive"];
const EVIDENCE_SHOWN = 12;

export function AnswerPanel({ outcome, graph, thread, root }: { outcome: Outcome; graph: string; thread: string; root: string }) {
  const { standing, failure, answer } = outcome;
  if (standing === "running" || standing === "waiting" || standing === "idle" || standing === "stopped") return null;
  const title = standing === "good" ? "Answer" : answer && standing === "warn" ? "Answer, with doubts" : "No answer";
  return (
    <section class={`card answer ${standing}`} aria-labelledby="answer">
      <h2 id="answer">
        {title} {outcome.confidence && <span class="muted">with a confidence of {outcome.confidence}</span>}
      </h2>
      {failure && (
        <Notice kind="bad">
          {failure.node && `${failure.node}: `}
          {printable(failure.what)} {printable(failure.remedy)}
        </Notice>
      )}
      {answer && !(failure && answer.includes(failure.what)) && <LongText text={answer} label="Answer" />}
      <EvidenceList evidence={outcome.evidence} />
      <Notes notes={outcome.notes} />
      {TALKS.includes(graph) && (
        <p>
          <a href={to(["run"], { graph, thread, root })}>Ask more in this thread</a>
        </p>
      )}
    </section>
  );
}

function EvidenceList({ evidence }: { evidence: Evidence[] }) {
  if (!evidence.length) return null;
  return (
    <details class="evidence">
      <summary>
        Evidence <span class="muted">({evidence.length})</span>
      </summary>
      <ul>
        {evidence.slice(0, 100).map((one, index) => (
          <li key={index}>
            <details open={index < EVIDENCE_SHOWN && one.text.length < 400}>
              <summary class="mono">
                {printable(one.where)} {one.note && <span class="muted">{one.note}</span>}
              </summary>
              {one.text && <LongText text={one.text} mono label={`Evidence: ${one.where.slice(0, 80)}`} />}
            </details>
          </li>
        ))}
      </ul>
      {evidence.length > 100 && <p class="muted">The first 100 of {evidence.length}; the report holds all.</p>}
    </details>
  );
}

function Notes({ notes }: { notes: string[] }) {
  if (!notes.length) return null;
  return (
    <details class="notes">
      <summary>
        Notes <span class="muted">({notes.length})</span>
      </summary>
      <ul>
        {notes.map((note, index) => (
          <li key={index}>{printable(note)}</li>
        ))}
      </ul>
    </details>
  );
}
