import { type DataDirClaim, claimDataDir, startEmbeddedPostgres } from "@purser/db/embedded";

/** The PostgreSQL of a development machine, which lives in the data folder. */
export interface LocalDatabase {
  url: string;
  /** Stops what was started; a server that belongs to another process stays. */
  close(): Promise<void>;
}

type OnLog = (message: string) => void;

/**
 * For the service: claims the data folder and starts its PostgreSQL, or takes over the one that a killed process
 * left running. Throws, with a message for people, when another process has the folder.
 */
export async function startLocalDatabase(dataDir: string, onLog: OnLog): Promise<LocalDatabase> {
  return startClaimed(dataDir, await claimDataDir(dataDir), onLog);
}

/** For a command beside the service: uses the PostgreSQL of whoever has the folder, otherwise its own. */
export async function joinLocalDatabase(dataDir: string, onLog: OnLog): Promise<LocalDatabase> {
  const claim = await claimDataDir(dataDir).catch(() => null);
  if (claim) return startClaimed(dataDir, claim, onLog);
  const { url } = await startEmbeddedPostgres({ dataDir, onLog });
  return { url, close: async () => undefined };
}

async function startClaimed(dataDir: string, claim: DataDirClaim, onLog: OnLog): Promise<LocalDatabase> {
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
