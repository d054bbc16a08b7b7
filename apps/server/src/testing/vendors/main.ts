import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startTestServer } from "@purser/testing";
import { vendors } from "./examples.ts";
import { type Replay, replayTraffic } from "./traffic.ts";
import { type Outcome, feedExamples } from "./webhooks.ts";
import { readYapilyExamples } from "./yapily.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const help = `pnpm vendors:check FOLDER [VENDOR…]

Runs the tests of the adapters and compares what adapters and fakes said to each other with the vendors' descriptions.
Then sends the vendors' own examples, and each with one field null or absent where the vendor allows that, to our webhook
endpoint. Stripe's SDK, and the library of Standard Webhooks that the SDKs of Lithic and Polar use, sign them. Paddle, Plaid
and Lemon Squeezy publish nothing that signs, so their fakes do. The adapter for Yapily uses no webhooks: it reads examples
of responses. FOLDER holds clones of what the vendors publish: see packages/vendor-contract/README.md.`;

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  console.error(help);
  process.exitCode = 2;
} else await checkVendors(folder, wanted);

async function checkVendors(clones: string, names: readonly string[]): Promise<void> {
  for (const replay of recordAndReplay(clones, names)) reportReplay(replay);
  const server = await startTestServer();
  try {
    for (const vendor of vendors) {
      if (names.length > 0 && !names.includes(vendor.vendor)) continue;
      report(await feedExamples(vendor, vendor.examples(clones)));
    }
  } finally {
    await server.stop();
  }
  if (names.length === 0 || names.includes("yapily")) report(await readYapilyExamples(clones));
}

/** Runs the tests of the adapters, which record their traffic, and compares it with the descriptions. */
function recordAndReplay(clones: string, names: readonly string[]): Replay[] {
  const temporary = mkdtempSync(join(tmpdir(), "purser-vendors-"));
  try {
    const file = join(temporary, "traffic.jsonl");
    const tests =
      names.length > 0 ? names.map((name) => `packages/providers/${name}`) : ["packages/providers"];
    const environment = { ...process.env, PURSER_VENDOR_TRAFFIC: file };
    const vitest = join(root, "node_modules/.bin/vitest");
    const run = spawnSync(vitest, ["run", "--reporter=dot", "--maxWorkers=1", ...tests], {
      cwd: root,
      env: environment,
      encoding: "utf8",
    });
    if (run.status !== 0) console.log(`The tests of the adapters fail:\n${run.stdout.slice(-2000)}`);
    if (run.status !== 0) process.exitCode = 1;
    return existsSync(file) ? replayTraffic(clones, file, names) : [];
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

function reportReplay({ vendor, version, compared, differences, tolerated }: Replay): void {
  const total = [...compared.values()].reduce((sum, count) => sum + count, 0);
  console.log(`\n${vendor} ${version}: ${total} messages of ${compared.size} operations and webhooks`);
  for (const [difference, count] of differences) console.log(`  ${difference}: ${count}`);
  for (const [reason, count] of tolerated) console.log(`  tolerated ${count}: ${reason}`);
  // A vendor whose repository is missing proves nothing.
  if (differences.size > 0 || compared.size === 0) process.exitCode = 1;
}

function report({ vendor, area, examples, variants, counts, problems }: Outcome): void {
  const states = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  console.log(`\n${vendor} (${area}): ${examples} examples, ${variants} variants: ${states.join(", ")}`);
  for (const [problem, changes] of problems) {
    console.log(`  ${problem}\n    ${changes.length}: ${changes.slice(0, 12).join("; ")}`);
  }
  // A vendor whose repository is missing proves nothing.
  if (examples === 0 || problems.size > 0) process.exitCode = 1;
}
