import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { chmod, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Binaries } from "./binaries.ts";

/** How a PostgreSQL program is started: it refuses to run as root. */
export interface Account {
  /** A program and its arguments that PostgreSQL is run through. */
  readonly prefix: readonly string[];
  /** The user to change to, and whom the cluster then has to belong to. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

const namespace = ["unshare", "-U", "--map-user=1000", "--map-group=1000"];

/**
 * Chooses the account for a cluster: this process's own user; under root the cluster's owner, a user namespace in
 * which root is an ordinary user, or the system's `postgres` or `nobody`, whichever is possible first.
 */
export async function chooseAccount(binaries: Binaries, cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    return { prefix: [], user: { uid: owner.uid, gid: owner.gid } };
  }
  if (canRun([...namespace, binaries.postgres, "--version"])) return { prefix: namespace };
  if (owner !== undefined) throw refusal(cluster, "the cluster belongs to root");
  return systemAccount(binaries, cluster);
}

/** Starts a PostgreSQL program in its own session, so that Ctrl-C in the terminal reaches only the service. */
export function spawnProgram(
  account: Account,
  program: string,
  args: string[],
  stdio: StdioOptions,
): ChildProcess {
  const [command = program, ...rest] = [...account.prefix, program, ...args];
  return spawn(command, rest, { cwd: "/", detached: true, stdio, env: environment(), ...account.user });
}

async function systemAccount(binaries: Binaries, cluster: string): Promise<Account> {
  const user = await findUser(["postgres", "nobody"]);
  if (user === undefined) throw refusal(cluster, "there is no user postgres or nobody");
  const folder = dirname(cluster);
  // The user has to pass through the folder to its cluster; what else lies there stays closed to it.
  await chmod(folder, ((await stat(folder)).mode & 0o7777) | 0o011);
  if (!canRun(["/bin/sh", "-c", 'cd "$1" && exec "$2" --version', "sh", folder, binaries.postgres], user)) {
    throw refusal(cluster, `user ${user.name} may not enter it or may not read ${binaries.postgres}`);
  }
  return { prefix: [], user: { uid: user.uid, gid: user.gid } };
}

function refusal(cluster: string, reason: string): Error {
  return new Error(
    `PostgreSQL does not run as root, this system refuses user namespaces, and for ${cluster} ${reason}. ` +
      "Start as an ordinary user, move DATA_DIR, or set DATABASE_URL.",
  );
}

async function findUser(names: string[]): Promise<{ name: string; uid: number; gid: number } | undefined> {
  const lines = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n");
  const users = lines.map((line) => line.split(":"));
  for (const name of names) {
    const fields = users.find(([user]) => user === name);
    if (fields !== undefined) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return undefined;
}

function canRun(command: string[], user?: { uid: number; gid: number }): boolean {
  const [program = "", ...args] = command;
  const options = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return spawnSync(program, args, { cwd: "/", stdio: "ignore", env: environment(), ...options }).status === 0;
}

/** The environment without what would change PostgreSQL's behaviour from outside: PGPORT, PGOPTIONS, a locale. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}
