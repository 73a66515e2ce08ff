/** Choices that outlive the page: small, none of them secret. */
const PREFIX = "console-";

export function remembered(name: string): string {
  return localStorage.getItem(PREFIX + name) ?? "";
}

export function remember(name: string, value: string): void {
  localStorage.setItem(PREFIX + name, value);
}
