import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const main = join(import.meta.dirname, "../../../apps/server/src/main.ts");

/** For `before`, where a test signs in many users: hashing their passwords then takes almost no time. */
export const cheapPasswords = new URL("cheap-passwords.ts", import.meta.url).href;

/** A service in its own process, started as `pnpm dev` does or from another script. */
export interface ServiceProcess {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process until it responded. */
  readyMs: number;
  port: number;
  /** The output of both streams so far. */
  output(): string;
  /** Sends the signal and waits for the process to exit. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>;
  signal(signal: NodeJS.Signals): void;
  /** Sends a message to the preloaded module. */
  sendMessage(message: object): void;
  /** Sends a message to the preloaded module and waits for the next one from it. */
  ask(message: object): Promise<unknown>;
  ended: Promise<number | null>;
}

interface Start {
  env?: Record<string, string>;
  script?: string;
  /** A module to preload before the service. `sendMessage` sends it messages. */
  before?: string;
  /** Receives the address as soon as the service has bound it, before it is ready. */
  onBound?: (url: string) => void;
}

/** A folder that is deleted after the tests. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "purser-process-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Starts the service and waits until it is ready. Throws with its output if it exits before. The system chooses the port
 * when the service binds it, and the service logs it.
 */
export async function startService(start: Start = {}): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(start);
    } catch (error) {
      // On a busy machine, a connection may take longer than a start allows. Supervisors start again then.
      if (attempt === 3 || !String(error).includes("(CONNECT_TIMEOUT)")) throw error;
    }
  }
}

async function startOnce(start: Start): Promise<ServiceProcess> {
  const begun = performance.now();
  const { child, output, ended } = launch({ ...start, env: { PORT: "0", ...start.env } });
  const port = await Promise.race([portIn(child, output), ended.then(() => undefined)]);
  const url = `http://127.0.0.1:${port}`;
  start.onBound?.(url);
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  while (!(await isReady(url))) {
    if (hasEnded) throw new Error(`The service exited before it was ready:\n${output()}`);
    await sleep(50);
  }
  return {
    url,
    port: port!,
    pid: child.pid!,
    readyMs: performance.now() - begun,
    output,
    ended,
    signal: (signal) => void child.kill(signal),
    sendMessage: (message) => void (child.connected && child.send(message, () => undefined)),
    async ask(message) {
      const answer = once(child, "message");
      child.send(message);
      return ((await answer) as unknown[])[0];
    },
    async stop(signal) {
      const signaled = performance.now();
      child.kill(signal);
      return { code: await ended, ms: performance.now() - signaled };
    },
  };
}

/** Resolves to the port that the service has bound. */
async function portIn({ stdout }: ChildProcess, output: () => string): Promise<number> {
  for (;;) {
    const [, port] = /"port":(\d+),"msg":"The system chose the port"/.exec(output()) ?? [];
    if (port !== undefined) return Number(port);
    await once(stdout!, "data");
  }
}

const running = new Set<ChildProcess>();

/** Stops the processes that a failed test has left running. For afterAll. */
export async function stopServices(): Promise<void> {
  for (const child of running) {
    child.kill("SIGTERM");
    await once(child, "close");
  }
}

/** Runs the process to its exit, for starts that fail. `stopWhen` stops it with SIGTERM while it starts. */
export async function runService({
  stopWhen,
  ...start
}: Start & { stopWhen?: Promise<void> }): Promise<{ code: number | null; output: string }> {
  const { child, output, ended } = launch(start);
  void stopWhen?.then(() => child.kill("SIGTERM"));
  return { code: await ended, output: output() };
}

/** Waits until `/dev/mail` of a service shows a mail to this address with these words in its subject. A job sends it. */
export async function untilMailed(url: string, to: string, words: string): Promise<void> {
  const deadline = performance.now() + 200_000;
  for (;;) {
    const mailbox = await fetch(`${url}/dev/mail`).then((response) => response.text());
    if (mailbox.split("<tr>").some((row) => row.includes(to) && row.includes(words))) return;
    if (performance.now() > deadline) throw new Error(`No mail with "${words}" to ${to}`);
    await sleep(50);
  }
}

/** Returns whether the PostgreSQL of a data folder runs. */
export function databasePid(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, "cluster/postmaster.pid"), "utf8").split("\n")[0]);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

function launch({ env = {}, script = main, before }: Start): {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
} {
  const { PATH = "", HOME = "" } = process.env;
  // Without the tests' own environment: NODE_ENV=test or a DATABASE_URL would change the service.
  // What the run has compiled already helps the sources, and the starts of a bundle help each other.
  const compiled = script === main ? process.env["NODE_COMPILE_CACHE"] : undefined;
  const child = spawn(process.execPath, [...(before ? ["--import", before] : []), script], {
    env: { PATH, HOME, NODE_COMPILE_CACHE: compiled ?? join(tmpdir(), "purser-compile-cache"), ...env },
    stdio: ["ignore", "pipe", "pipe", ...(before ? (["ipc"] as const) : [])],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  let text = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk: Buffer) => (text += chunk));
  // "close" comes after the last output. "exit" may come before.
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, output: () => text, ended };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
