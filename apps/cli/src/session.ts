import type { Service, ServiceSettings } from "@purser/service";
import type { Command } from "commander";
import { Interrupted } from "./exit-code.ts";
import { printable } from "./output.ts";

/** Loaded only when a command runs, so that help and usage errors are immediate. */
const loadService = () => import("@purser/service");

/** Opens the platform for one command, and closes everything again, also when the command fails or is broken off. */
export function withPlatform(command: Command, work: (open: Service) => Promise<void>): Promise<void> {
  return withDatabase(command, (settings) => openFor(command, settings, work));
}

/** The second half of {@link withPlatform}, for a command that does something to the database before. */
export async function openFor(
  command: Command,
  settings: ServiceSettings,
  work: (open: Service) => Promise<void>,
): Promise<void> {
  const { openService } = await loadService();
  const open = await openService(settings, { logger: stderrLogger(command), statementTimeoutMs: 0 });
  try {
    await work(open);
  } finally {
    await open.close();
  }
}

/**
 * Runs one command on settings that lead to a database: the configured one, or outside production the embedded one,
 * which is shared with a service that runs, and otherwise started for the command.
 */
export async function withDatabase(
  command: Command,
  work: (settings: ServiceSettings) => Promise<void>,
): Promise<void> {
  const { readSettings } = await loadService();
  const { processEnvironment } = await import("@purser/platform/settings");
  const settings = readSettings(processEnvironment());
  await untilInterrupted(async (interruption) => {
    if (settings.databaseUrl !== null) return Promise.race([work(settings), interruption]);
    const { debug } = stderrLogger(command);
    const { joinEmbeddedDatabase } = await import("@purser/db/embedded");
    const embedded = await joinEmbeddedDatabase(settings.dataDir, (message) => debug({}, message));
    try {
      await Promise.race([work({ ...settings, databaseUrl: embedded.url }), interruption]);
    } finally {
      await embedded.close();
    }
  });
}

/** Hands on a promise that fails at the first signal: a command that is broken off ends like one that fails. */
async function untilInterrupted(work: (interruption: Promise<never>) => Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  // It may fail while a database is being started, before anybody waits for it.
  promise.catch(() => undefined);
  const interrupt = (signal: NodeJS.Signals) => reject(new Interrupted(`Broken off by ${signal}`));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    await work(promise);
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** With --verbose, what the platform logs; otherwise nothing, as a failing command says why by itself. */
function stderrLogger(command: Command) {
  const write = (facts: object, message: string) => {
    process.stderr.write(`${printable(`${message} ${JSON.stringify(facts)}`)}\n`);
  };
  const silent = () => undefined;
  const log = command.optsWithGlobals()["verbose"] ? write : silent;
  return { debug: log, info: log, warn: log, error: log };
}
