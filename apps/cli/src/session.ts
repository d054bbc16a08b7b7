import type { Service } from "@purser/service";
import type { ServiceSettings } from "@purser/service/settings";
import type { Command } from "commander";
import { CommandInterrupted } from "./exit-code.ts";
import { printable } from "./output.ts";

/** Opens the service for one command. Closes it afterwards, also if the command fails or is interrupted. */
export function withService(command: Command, work: (service: Service) => Promise<void>): Promise<void> {
  return withDatabase(command, (settings) => withServiceOn(command, settings, work));
}

/** The same on an open database, for a command that changes it first. */
export async function withServiceOn(
  command: Command,
  settings: ServiceSettings,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  // Only when a command runs, so that help and usage errors are immediate.
  const { openService } = await import("@purser/service");
  const service = await openService(settings, {
    logger: stderrLogger(command),
    databaseLimits: { statementTimeoutMs: 0 },
  });
  try {
    // Sets the clock by the database. What a command writes is ordered by time, and its machine may have a wrong one.
    await service.monitor.probe();
    await work(service);
  } finally {
    await service.close();
  }
}

/**
 * Runs one command with the settings of a database: the configured one or, outside production, the embedded one. The
 * embedded database is shared with a running service, or started for the command. Only a command that `creates` a database
 * may run without one.
 */
export async function withDatabase(
  command: Command,
  work: (settings: ServiceSettings) => Promise<void>,
  { creates = false }: { creates?: boolean } = {},
): Promise<void> {
  const { readSettings } = await import("@purser/service/settings");
  const { processEnvironment } = await import("@purser/platform/settings");
  const settings = readSettings(processEnvironment());
  await untilInterrupted(async (interruption) => {
    if (settings.databaseUrl !== null) return Promise.race([work(settings), interruption]);
    const { debug } = stderrLogger(command);
    const { hasEmbeddedDatabase, joinEmbeddedDatabase } = await import("@purser/db/embedded");
    if (!creates && !hasEmbeddedDatabase(settings.dataDir)) throw new Error(noDatabase(settings.dataDir));
    const embedded = await joinEmbeddedDatabase(settings.dataDir, (message) => debug({}, message));
    try {
      await Promise.race([work({ ...settings, databaseUrl: embedded.url }), interruption]);
    } finally {
      await embedded.close();
    }
  });
}

const noDatabase = (dataDir: string) =>
  `There is no database in ${dataDir}. Start the service once (pnpm dev) or run: pnpm purser migrate. For another database, set DATABASE_URL.`;

/** Passes a promise that rejects at the first signal, so that an interrupted command ends like a failed one. */
async function untilInterrupted(work: (interruption: Promise<never>) => Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  // It may reject while a database starts, before anything awaits it.
  promise.catch(() => undefined);
  const interrupt = (signal: NodeJS.Signals) => reject(new CommandInterrupted(`Interrupted by ${signal}`));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    await work(promise);
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** Logs to stderr with --verbose. Without it, a failed command prints only its error. */
function stderrLogger(command: Command) {
  const silent = () => undefined;
  const log = command.optsWithGlobals()["verbose"] ? writeLogLine : silent;
  return { debug: log, info: log, warn: log, error: log };
}

/** Writes a line of the log to stderr, also without --verbose. */
export function writeLogLine(fields: object, message: string): void {
  process.stderr.write(`${printable(`${message} ${JSON.stringify(fields)}`)}\n`);
}
