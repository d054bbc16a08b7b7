import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestPurser, builtService, createTestPurser } from "@purser/testing";
import { vi } from "vitest";
import { run } from "../run.ts";

/** The result of a command. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command line as `pnpm purser` runs it. */
export const source = fileURLToPath(new URL("../main.ts", import.meta.url));
export const first = { version: 1, key: randomBytes(32) };
export const second = { version: 2, key: randomBytes(32) };
export const keyring = (...keys: (typeof first)[]) =>
  keys.map(({ version, key }) => `${version}:${key.toString("base64")}`).join();

export let purser: TestPurser;
export let dataDir: string;
let folder: string;

/** Creates the service that the commands work on. For `beforeAll`. */
export async function arrange(): Promise<void> {
  purser = await createTestPurser({ settings: { encryptionKeys: [first] } });
  folder = await mkdtemp(join(tmpdir(), "purser-cli-"));
  dataDir = join(folder, "data");
}

export async function dispose(): Promise<void> {
  await purser.close();
  await rm(folder, { recursive: true, force: true });
}

const environment = (changes: Record<string, string>) => ({
  DATABASE_URL: purser.platform.settings.databaseUrl!,
  ENCRYPTION_KEYS: keyring(first),
  AUTH_SECRET: "x".repeat(32),
  DATA_DIR: dataDir,
  ...changes,
});

/** Runs the command line as a process. Built, it loads much faster than from the sources. */
export async function spawned(
  args: string[],
  changes: Record<string, string> = {},
  script?: string,
): Promise<Run> {
  const { ended } = await start(args, changes, script);
  return ended;
}

export async function start(args: string[], changes: Record<string, string>, script?: string) {
  const child = spawn(process.execPath, [script ?? (await builtCommand()), ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...environment(changes),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Run>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

const builtCommand = async () => join(dirname(await builtService()), "purser.js");

/** Runs the command line in this process, which saves the second that a new process needs to load everything. */
export async function ran(args: string[], changes: Record<string, string> = {}): Promise<Run> {
  // vitest sets its own BASE_URL.
  for (const [name, value] of Object.entries(environment({ BASE_URL: "", ...changes })))
    vi.stubEnv(name, value);
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const written = (stream: typeof stdout) => stream.mock.calls.map(([chunk]) => String(chunk)).join("");
  try {
    const code = await run(args);
    return { code, stdout: written(stdout), stderr: written(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
    vi.unstubAllEnvs();
  }
}
