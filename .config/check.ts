import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { delimiter, join, resolve } from "node:path";

/**
 * The checks that `pnpm check` runs, the same locally and in CI. Arguments select checks by name, as in
 * `pnpm check types imports`. No check changes the working tree.
 */
const checks: Record<string, string[]> = {
  // The longest first, because one that starts last would run on alone.
  client: [
    "node packages/client/build.ts",
    "publint --strict --pack npm packages/client",
    "attw --profile node16 --pack packages/client",
  ],
  lint: ["oxlint"],
  generated: ["node .config/drift.ts"],
  openapi: ["node packages/router/lint.ts"],
  types: ["tsc --noEmit", "tsc --noEmit -p apps/console"],
  unused: ["knip"],
  imports: ["depcruise packages apps bench .config drizzle.config.ts vitest.config.ts"],
  format: ["oxfmt --check"],
};

interface Outcome {
  name: string;
  seconds: number;
  failed: boolean;
  output: string;
}

const root = resolve(import.meta.dirname, "..");
const environment = {
  ...process.env,
  PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`,
  ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(", ")}; there are ${Object.keys(checks).join(", ")}.`);
  process.exit(2);
}

const outcomes = await runAll(selected.length > 0 ? selected : Object.keys(checks));
for (const { name, output } of outcomes.filter(({ failed }) => failed)) {
  console.log(`\n── ${name} ${"─".repeat(Math.max(0, 76 - name.length))}\n${output.trim()}`);
}
const failures = outcomes.filter(({ failed }) => failed).length;
console.log(`\n${outcomes.length - failures} ok, ${failures} failed, ${performance.now().toFixed(0)} ms`);
process.exitCode = failures > 0 ? 1 : 0;

/** Runs one check per processor at a time, and reports each when it ends. */
async function runAll(names: string[]): Promise<Outcome[]> {
  const waiting = [...names];
  const finished: Outcome[] = [];
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const outcome = await run(name);
      finished.push(outcome);
      console.log(
        `${name.padEnd(12)}${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.failed ? "FAILED" : "ok"}`,
      );
    }
  });
  await Promise.all(lanes);
  return finished;
}

/** Runs the commands of a check in order and stops at the first failure. */
async function run(name: string): Promise<Outcome> {
  const start = performance.now();
  let output = "";
  let failed = false;
  for (const command of checks[name] ?? []) {
    const [code, text] = await execute(command);
    output += `$ ${command}\n${text}`;
    failed = code !== 0;
    if (failed) break;
  }
  return { name, seconds: (performance.now() - start) / 1000, failed, output };
}

function execute(command: string): Promise<[code: number | null, output: string]> {
  return new Promise((done, fail) => {
    const [program = "", ...options] = command.split(" ");
    const child = spawn(program, options, { cwd: root, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => done([code, Buffer.concat(chunks).toString()]));
  });
}
