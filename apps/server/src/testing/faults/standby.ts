import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { connect } from "@purser/db";
import { startEmbeddedPostgres } from "@purser/db/embedded";

type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/** A cluster in its folder. */
export interface HostedCluster {
  dataDir: string;
  server: EmbeddedPostgres;
}

/** Starts a streaming standby of a cluster that runs, and waits until it streams. */
export async function startStandby(
  { dataDir: primaryDir, server: primary }: HostedCluster,
  dataDir: string,
  settings: Record<string, string | number>,
): Promise<EmbeddedPostgres> {
  const db = connect(primary.url, { max: 1, statementTimeoutMs: 60_000, applicationName: "faults" });
  try {
    // The install has no pg_basebackup. A connection that stays open copies a running cluster as well.
    await db.$client`SELECT pg_backup_start('standby', true)`;
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // A file may vanish during the copy, which cp reports at its end.
    const parts = ["cluster", "password"].map((name) => join(primaryDir, name));
    await promisify(execFile)("cp", ["-a", ...parts, dataDir]).catch(() => undefined);
    const cluster = join(dataDir, "cluster");
    const [backup] = await db.$client`SELECT labelfile FROM pg_backup_stop(false)`;
    for (const file of ["postmaster.pid", "postmaster.opts"]) await rm(join(cluster, file), { force: true });
    await writeFile(join(cluster, "backup_label"), String(backup!["labelfile"]));
    await writeFile(join(cluster, "standby.signal"), "");
    const { hostname, port, username, password } = new URL(primary.url);
    const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
    const standby = await startEmbeddedPostgres({ dataDir, settings: { ...settings, primary_conninfo } });
    const isStreaming = async () =>
      (await db.$client`SELECT FROM pg_stat_replication WHERE state = 'streaming'`).length > 0;
    while (!(await isStreaming())) await sleep(50);
    return standby;
  } finally {
    await db.close();
  }
}

/** Ends the recovery of a standby. It accepts writes from then on. */
export async function promote({ url }: EmbeddedPostgres): Promise<void> {
  const db = connect(url, { max: 1, statementTimeoutMs: 60_000, applicationName: "faults" });
  try {
    await db.$client`SELECT pg_promote(true, 60)`;
  } finally {
    await db.close();
  }
}
