/** Times as people read them, in their own zone. */
const TODAY = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const OTHER = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function when(at: string | null | undefined): string {
  const time = at ? new Date(at) : null;
  if (!time || Number.isNaN(time.getTime())) return "";
  return time.toDateString() === new Date().toDateString() ? TODAY.format(time) : OTHER.format(time);
}
