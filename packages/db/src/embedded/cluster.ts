import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, link, mkdtemp, open, readFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type OsAccount, spawnProgram } from "./account.ts";
import type { Binaries } from "./binaries.ts";

/** The superuser of an embedded cluster. */
export const superuser = "purser";

const draftPrefix = "cluster.initdb-";

/**
 * Creates the cluster if it is missing, and returns its superuser's password, which is stored next to it (mode 600).
 * initdb runs under a temporary name that is renamed at the end, so a cluster is either complete or absent.
 */
export async function ensureCluster(
  binaries: Binaries,
  account: OsAccount,
  cluster: string,
  options: { dataDir: string; durable: boolean },
): Promise<string> {
  const passwordFile = join(options.dataDir, "password");
  if (existsSync(cluster)) return readPassword(passwordFile, cluster);
  await removeDrafts(options.dataDir);
  const password = await createPassword(passwordFile);
  const draft = await mkdtemp(join(options.dataDir, draftPrefix));
  if (account.user !== undefined) {
    await chown(draft, account.user.uid, account.user.gid);
    await chown(passwordFile, account.user.uid, account.user.gid);
  }
  await initialize(binaries, account, draft, { passwordFile, durable: options.durable });
  await rename(draft, cluster).catch(async (error: NodeJS.ErrnoException) => {
    // Another process created the cluster first. It has the same password.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    await rm(draft, { recursive: true, force: true });
  });
  return password;
}

async function initialize(
  binaries: Binaries,
  account: OsAccount,
  draft: string,
  options: { passwordFile: string; durable: boolean },
): Promise<void> {
  const args = ["-D", draft, "-U", superuser, `--pwfile=${options.passwordFile}`, "--auth=scram-sha-256"];
  // The builtin provider sorts the same on every system, regardless of the C library's locales.
  args.push("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  if (!options.durable) args.push("--no-sync");
  const child = spawnProgram(account, binaries.initdb, args, ["ignore", "pipe", "pipe"]);
  const output = Promise.all([child.stdout, child.stderr].filter((stream) => stream !== null).map(text));
  await once(child, "close");
  if (child.exitCode !== 0) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(
      `initdb failed (${child.exitCode ?? child.signalCode}):\n${(await output).join("").trim()}`,
    );
  }
}

async function removeDrafts(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(draftPrefix));
  // An orphaned initdb may still be writing there. The next start removes its remains.
  await Promise.allSettled(drafts.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
}

async function readPassword(file: string, cluster: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw new Error(`The password of ${cluster} cannot be read from ${file}.`, { cause: error });
  });
}

async function createPassword(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  await handle.writeFile(randomBytes(24).toString("base64url"));
  await handle.sync();
  await handle.close();
  // Linking fails if the file exists, so concurrent starts all use the first one's password.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return readFile(file, "utf8");
}
