import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { type ConsoleFiles, readConsoleFiles } from "./files.ts";

/** The console now: its files, or why there are none. */
export type ConsoleState = ConsoleFiles | "building" | "failed" | "not built";

/** Reads the console that is built next to the service. */
export function builtConsole(): () => ConsoleState {
  const files = readConsoleFiles(join(import.meta.dirname, "console")) ?? "not built";
  return () => files;
}

/**
 * Builds the console in a separate process if its sources changed, while the service starts. Its output is the
 * terminal's.
 */
export function buildConsole(signal: AbortSignal, ready: Promise<void>): () => ConsoleState {
  let state: ConsoleState = "building";
  const app = join(import.meta.dirname, "../../../console");
  const build = () => {
    const child = spawn(process.execPath, [join(app, "build.ts"), "--install"], {
      stdio: ["ignore", "inherit", "inherit"],
      signal,
    });
    // The service starts first: on two processors the build would double the time until it is ready.
    if (child.pid !== undefined) lowerPriority(child.pid);
    const end = (code: number | null) => {
      state = (code === 0 ? readConsoleFiles(join(app, "dist")) : null) ?? "failed";
    };
    // Ended with the service.
    child.on("error", () => end(null));
    child.on("close", end);
  };
  // The first build installs what it needs. That would delay the service at any priority.
  if (existsSync(join(app, "node_modules/vite"))) build();
  else void ready.then(build);
  return () => state;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, because nothing changed.
  }
}

/** Whether this process runs from the sources, as `pnpm dev` does. */
export const hasConsoleSources = (): boolean =>
  existsSync(join(import.meta.dirname, "../../../console/build.ts"));
