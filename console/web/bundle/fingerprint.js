// Writes sources.sha256: the digest of all sources, by which a test without npm knows stale built files.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    if (one.name === "node_modules") return [];
    const path = join(folder, one.name);
    return one.isDirectory() ? files(path) : [path];
  });
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** One line for each file, `path digest`, sorted by path; the digest of these lines. */
export function sourcesDigest() {
  const lines = files(ROOT).map((path) => `${relative(ROOT, path).split(sep).join("/")} ${digest(readFileSync(path))}\n`);
  return digest(lines.sort().join(""));
}

export function fingerprint() {
  return {
    name: "fingerprint",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "sources.sha256", source: `${sourcesDigest()}\n` });
    },
  };
}
