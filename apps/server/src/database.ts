import type { Logger } from "@purser/core";
import { startEmbeddedDatabase } from "@purser/db/embedded";
import type { ServiceSettings } from "@purser/service";
import type { Lifetime } from "./process/lifetime.ts";

/** The settings with the database they lead to: the configured one, or one that is started in the data folder. */
export async function databaseOf(
  settings: ServiceSettings,
  life: Lifetime,
  logger: Logger,
): Promise<ServiceSettings> {
  if (settings.databaseUrl !== null) return settings;
  const local = await startEmbeddedDatabase(settings.dataDir, (message) => logger.debug({}, message));
  life.onHurry(() => local.close());
  life.closeLater(() => local.close());
  return { ...settings, databaseUrl: local.url };
}
