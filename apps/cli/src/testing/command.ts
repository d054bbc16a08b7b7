import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestPurser, createTestPurser } from "@purser/router/testing";
import { vi } from "vitest";
import { run } from "../run.ts";

/** What a command came to. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
export const first = { version: 1, key: randomBytes(32) };
export const second = { version: 2, key: randomBytes(32) };
export const keyring = (...keys: (typeof first)[]) =>
  keys.map(({ version, key }) => `${version}:${key.toString("base64")}`).join();

export let purser: TestPurser;
export let dataDir: string;

/** Makes the service that the commands work on; for `beforeAll`. */
export async function arrange(): Promise<void> {
  purser = await createTestPurser({ settings: { encryptionKeys: [first] } });
  dataDir = await mkdtemp(join(tmpdir(), "purser-cli-"));
}

export async function dispose(): Promise<void> {
  await purser.close();
  await rm(dataDir, { recursive: true, force: true });
}

const environment = (changes: Record<string, string>) => ({
  DATABASE_URL: purser.platform.settings.databaseUrl!,
  ENCRYPTION_KEYS: keyring(first),
  AUTH_SECRET: "x".repeat(32),
  DATA_DIR: dataDir,
  ...changes,
});

/** Runs the command line as a person does: as a process. */
export function spawned(args: string[], changes: Record<string, string> = {}): Promise<Run> {
  return start(args, changes).ended;
}

export function start(args: string[], changes: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env["PATH"], ...environment(changes) },
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

/** Runs it in this process, which spares the second that a process needs to load everything. */
export async function ran(args: string[], changes: Record<string, string> = {}): Promise<Run> {
  // vitest has a BASE_URL of its own.
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
