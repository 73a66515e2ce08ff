// Writes licences.txt: every package of which something stands in the bundle, with its licence as it came.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

export function licences() {
  return {
    name: "licences",
    generateBundle(_options, bundle) {
      const folders = new Map();
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const found = PACKAGE.exec(id);
          if (found) folders.set(found[2], found[1]);
        }
      }
      const entries = [...folders].sort(([one], [other]) => (one < other ? -1 : 1));
      const source = entries.map(([name, folder]) => entry(name, folder)).join("\n\n");
      this.emitFile({ type: "asset", fileName: "licences.txt", source: `${source}\n` });
    },
  };
}

function entry(name, folder) {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (!file && !about.license) throw new Error(`${name} names no licence: look before it is bundled.`);
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `${name} ${about.version} (${about.license})\n${"-".repeat(60)}\n${text || `Licensed under ${about.license}.`}`;
}
