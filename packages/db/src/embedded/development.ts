import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DataDirClaim, claimDataDir } from "./claim.ts";
import { startEmbeddedPostgres } from "./postgres.ts";

/** The PostgreSQL server of a development machine, in the data folder. */
export interface EmbeddedDatabase {
  url: string;
  /** Stops the server if this call started it. The server of another process keeps running. */
  close(): Promise<void>;
}

type OnLog = (message: string) => void;

/**
 * For the service: claims the data folder and starts its PostgreSQL, or adopts the server that another process left
 * running. Throws, with a message for the operator, if another process has claimed the folder.
 */
export async function startEmbeddedDatabase(dataDir: string, onLog: OnLog): Promise<EmbeddedDatabase> {
  return startClaimed(dataDir, await claimDataDir(dataDir), onLog);
}

/** Whether the data folder has a database, running or not. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, "cluster"));
}

/** For commands: uses the server of the process that claimed the folder, or starts one. */
export async function joinEmbeddedDatabase(dataDir: string, onLog: OnLog): Promise<EmbeddedDatabase> {
  const claim = await claimDataDir(dataDir).catch(() => null);
  if (claim) return startClaimed(dataDir, claim, onLog);
  const { url } = await startEmbeddedPostgres({ dataDir, onLog });
  return { url, close: async () => undefined };
}

async function startClaimed(dataDir: string, claim: DataDirClaim, onLog: OnLog): Promise<EmbeddedDatabase> {
  try {
    const server = await startEmbeddedPostgres({ dataDir, onLog });
    const close = async () => {
      await server.stop();
      claim.release();
    };
    return { url: server.url, close };
  } catch (error) {
    claim.release();
    throw error;
  }
}
