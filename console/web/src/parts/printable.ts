/** Signs that act instead of showing: controls, and those that turn the direction of what follows. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Text of tools and models with such signs written out, so that what is read is what is there. */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(CONTROL, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
