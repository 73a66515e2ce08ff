/**
 * How far a stream was read. An event's id is `milliseconds-0` of when it was written, so events of the same
 * millisecond share one: to go on after an id alone would lose the others of its millisecond. So a stream is
 * joined just before the id read last, and what was read of it already is told by what it says.
 */
import type { StreamEvent } from "../server/langgraph.ts";

export class StreamPlace {
  private last = "";
  private told = new Set<string>();

  /** The id to go on after when the stream is joined; empty for all of it. */
  joined(): string {
    return this.last ? `${timeOf(this.last) - 1}-0` : "";
  }

  /** True for an event that was not read before; while a stream is joined, some are handed out twice. */
  isNew({ id, event, data }: StreamEvent): boolean {
    if (!id) return true;
    if (timeOf(id) < timeOf(this.last)) return false;
    if (id !== this.last) this.told.clear();
    this.last = id;
    const said = `${event} ${JSON.stringify(data)}`;
    if (this.told.has(said)) return false;
    this.told.add(said);
    return true;
  }
}

function timeOf(id: string): number {
  return Number(id.split("-", 1)[0]) || 0;
}
