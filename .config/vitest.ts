import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["{packages,apps,bench,.config}/**/*.test.ts"],
    globalSetup: ["packages/router/src/testing/global-setup.ts"],
    // Many tests wait for processes and clocks of their own; loading everything anew for each file would cost more.
    isolate: false,
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // CI takes the number of tests from this file.
    reporters: process.env["CI"] ? ["default", "json"] : ["default"],
    outputFile: { json: "node_modules/.cache/purser/tests.json" },
  },
});
