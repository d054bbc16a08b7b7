import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { chmod, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Binaries } from "./binaries.ts";

/** How to start a PostgreSQL program. PostgreSQL refuses to run as root. */
export interface OsAccount {
  /** A launcher and its arguments, put in front of the PostgreSQL program. */
  readonly prefix: readonly string[];
  /** The user to switch to. It then has to own the cluster. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

const namespace = ["unshare", "-U", "--map-user=1000", "--map-group=1000"];

/**
 * Chooses the account for a cluster: this process's user or, under root, the first possible one of the cluster's owner,
 * a user namespace that maps root to an ordinary user, and the system users `postgres` and `nobody`.
 */
export async function chooseAccount(binaries: Binaries, cluster: string): Promise<OsAccount> {
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
  account: OsAccount,
  program: string,
  args: string[],
  stdio: StdioOptions,
): ChildProcess {
  const [command = program, ...rest] = [...account.prefix, program, ...args];
  return spawn(command, rest, { cwd: "/", detached: true, stdio, env: environment(), ...account.user });
}

async function systemAccount(binaries: Binaries, cluster: string): Promise<OsAccount> {
  const user = await findUser(["postgres", "nobody"]);
  if (user === undefined) throw refusal(cluster, "there is no user postgres or nobody");
  const folder = dirname(cluster);
  // The user has to traverse the parent folders to its cluster. Everything else in them stays inaccessible.
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

/** The environment without variables that change PostgreSQL's behavior: PGPORT, PGOPTIONS, the locale. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}
