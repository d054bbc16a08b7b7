import { execFile } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

interface ShellRun {
  /** A folder of its own, in which the script runs. */
  folder: string;
  env?: Record<string, string>;
  /** Whether curl is our stand-in. By default, it is where the machine has no curl. */
  standIn?: boolean;
}

/**
 * Runs a script of the documentation in bash, as a reader does, and stops at its first failing command. Other tests go on
 * meanwhile, so the service under test may run in this process.
 */
export function runShell(
  script: string,
  { folder, env = {}, standIn = !hasCurl() }: ShellRun,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const path = standIn ? `${writeStandIn(folder)}${delimiter}${PATH}` : PATH;
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["--norc", "-euo", "pipefail", "-c", script],
      { cwd: folder, env: { PATH: path, HOME, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

function hasCurl(): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, "curl")));
}

/** Returns a folder for PATH whose `curl` knows the options that the documentation uses. */
function writeStandIn(folder: string): string {
  const file = join(folder, "curl");
  const script = join(import.meta.dirname, "curl.ts");
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
