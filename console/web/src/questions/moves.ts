/** Moves of a proof game as a person types them; the command line reads the same in `cli/play_typing.py`. */

export type Move = Record<string, unknown> | string;

/** What was typed is no move; the message says how to write it. */
export class NotUnderstood extends Error {}

const CLAIM_EXAMPLE =
  '{"move": "ASSERT", "claim": {"predicate": "count", "subject": "a.txt", "unit": "line", "value": 3}, "evidence": ["o1"]}';

/** The move a line stands for: a JSON object, the number of a menu, a word of the game, or a tool call. */
export function moveOf(line: string): Move {
  const text = line.trim();
  if (!text) throw new NotUnderstood("Write a move.");
  if (text.startsWith("{")) return readJson(text);
  if (/^\d+$/.test(text)) return text;
  const [word = "", ...rest] = text.split(/\s+/);
  const said = text.slice(word.length).trim();
  switch (word.toLowerCase()) {
    case "pass":
      return { move: "PASS" };
    case "ask":
      return { move: "ASK", question: said };
    case "answer":
      return { move: "ANSWER", claims: said.split(/[\s,]+/).filter(Boolean) };
    case "link":
      return linked(rest);
    case "challenge":
      return challenged(rest);
    case "assert":
    case "instead":
      throw new NotUnderstood(`Write a claim as JSON, such as ${CLAIM_EXAMPLE}`);
    default:
      return { move: "PROPOSE", request: { raw: text } };
  }
}

function readJson(text: string): Move {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new NotUnderstood(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function linked([claim, ...evidence]: string[]): Move {
  if (!claim || !evidence.length) throw new NotUnderstood("Write: link c1 o2");
  return { move: "LINK", claim, evidence };
}

function challenged([claim, ...how]: string[]): Move {
  if (!claim || !how.length) throw new NotUnderstood("Write: challenge c1 cat a.txt, or: challenge c1 by o2");
  if (how[0] === "by") return { move: "CHALLENGE", claim, evidence: how.slice(1) };
  return { move: "CHALLENGE", claim, falsifier: { raw: how.join(" ") } };
}
