import module from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Slow test files, the slowest first. One that starts last would run on alone. */
const long = [
  "apps/console/src/journeys.test.ts",
  "apps/server/src/faults.test.ts",
  "apps/server/src/silent-database.test.ts",
  "apps/server/src/main.test.ts",
  "apps/server/src/drain.test.ts",
  "apps/server/src/pages/pages.test.ts",
  "apps/server/src/guide.test.ts",
  "apps/server/src/parity.test.ts",
  "packages/router/src/access.test.ts",
  "apps/cli/src/main.test.ts",
  "apps/server/src/fuzz.test.ts",
  "packages/client/src/may-call.test.ts",
  "packages/router/src/statements.test.ts",
  "apps/server/src/transports/csv.test.ts",
  "apps/server/src/killed-holder.test.ts",
  "apps/server/src/followed-events.test.ts",
  "packages/identity/src/guessing.test.ts",
  "packages/router/src/recorded-events.test.ts",
  "apps/server/src/pages/reference/reference.test.ts",
  "apps/server/src/pages/own-account.test.ts",
  "apps/server/src/pages/card-reveal.test.ts",
  "packages/client/package.test.ts",
  "packages/db/src/embedded/postgres.test.ts",
  "packages/platform/src/jobs/worker.test.ts",
  "packages/db/src/connection/silence.test.ts",
  "apps/server/src/generated-clients.test.ts",
  "apps/server/src/killed.test.ts",
  "packages/service/src/backup.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- This method belongs to the sequencer and returns a new array.
    const sorted = await super.sort(files);
    const first = long.flatMap((path) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${path}`)));
    return [...new Set([...first, ...sorted])];
  }
}

// Node's own cache of compiled modules, for this process and all that it starts.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(
  new URL("node_modules/.cache/purser/compiled", import.meta.url),
);
module.enableCompileCache(process.env["NODE_COMPILE_CACHE"]);

/** Loads the published client from its sources. Its package leads to a build. */
const clientSources = fileURLToPath(new URL("apps/console/src/testing/client-sources.ts", import.meta.url));

export default defineConfig({
  test: {
    include: ["{packages,apps,bench,.config}/**/*.test.ts"],
    globalSetup: ["packages/testing/src/global-setup.ts", "packages/vendor-contract/src/global-setup.ts"],
    setupFiles: [
      "packages/testing/src/cheap-passwords.ts",
      "packages/testing/src/same-examples.ts",
      "packages/vendor-contract/src/testing/setup.ts",
    ],
    // Tests share modules: loading all of them again for each file takes longer than the tests.
    isolate: false,
    // So a test that fails would leave what it has replaced to those after it, of other files too.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Node loads the modules itself, as it does in production, which saves Vite's transformation of each.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ["--import", clientSources],
    // Some tests mostly wait, so there are more workers than processors. Each costs seconds to load the service. The nightly profile
    // has limits of time that hold only where nothing else takes the processor.
    maxWorkers: process.env["PURSER_PROFILE"] === "nightly" ? 1 : 3,
    // Against tests that hang. Beside other work on the machine, every test may take a multiple of its time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // The default of one second fails on a busy machine. A condition that holds ends the wait at once.
    expect: { poll: { timeout: 60_000, interval: 50 } },
    sequence: { sequencer: LongestFirst },
    tags: [
      {
        name: "slow",
        description:
          "Needs much processor time, because it starts programs or tries many cases. CI runs it, `pnpm test` does not.",
      },
    ],
    // .ci/run reads the number of tests from this file.
    reporters: process.env["CI"] ? ["default", "json"] : ["default"],
    outputFile: { json: "node_modules/.cache/purser/tests.json" },
  },
});
