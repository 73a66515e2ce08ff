// Builds the page into console/static. Nothing is inlined: the page is served under a policy of 'self'.
import { defineConfig } from "vite";

import { licences } from "./bundle/licences.js";
import { fingerprint } from "./bundle/fingerprint.js";

export default defineConfig({
  base: "./",
  plugins: [licences(), fingerprint()],
  build: {
    outDir: "../static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
});
