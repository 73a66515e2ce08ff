/**
 * How far a stream was read. An event's id is `milliseconds-0` of when it was written, so events of the same
 * millisecond share one: to go on after an id alone would lose the others of its millisecond.
 */

export class StreamPlace {
  private last = "";
  /** Events read that have the id read last. */
  private same = 0;
  private known = 0;

  /** The id to go on after when the stream is joined anew: just before the one read last. */
  joined(): string {
    this.known = this.same;
    return this.last ? `${timeOf(this.last) - 1}-0` : "";
  }

  /** True for an event that was not read before. */
  isNew(id: string | undefined): boolean {
    if (!id) return true;
    if (id === this.last) {
      if (this.known > 0) {
        this.known -= 1;
        return false;
      }
      this.same += 1;
      return true;
    }
    // What is handed out twice while a stream is joined is older than what came last.
    if (timeOf(id) < timeOf(this.last)) return false;
    this.last = id;
    this.same = 1;
    this.known = 0;
    return true;
  }
}

function timeOf(id: string): number {
  return Number(id.split("-", 1)[0]) || 0;
}
