import { randomBytes } from "node:crypto";
import type { Settings } from "@purser/platform/settings";
import { type Target, startTarget } from "./load.ts";

/** What the services of one measurement share with the process that fills their database. */
export type Secrets = Pick<Settings, "authSecret" | "encryptionKeys">;

export function newSecrets(): Secrets {
  const encryptionKeys = [{ version: 1, key: randomBytes(32) }];
  return { authSecret: randomBytes(32).toString("base64url"), encryptionKeys };
}

/** Starts the whole service on a database, in its own process. */
export function startServiceTarget(
  databaseUrl: string,
  secrets: Secrets,
  more: Record<string, string> = {},
): Promise<Target> {
  return startTarget("service.ts", { ...variablesOfService(databaseUrl, secrets), ...more });
}

/** The variables of a service as in production, which shares these secrets. */
export function variablesOfService(
  databaseUrl: string,
  { authSecret, encryptionKeys }: Secrets,
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: encryptionKeys.map(({ version, key }) => `${version}:${key.toString("base64")}`).join(),
    BASE_URL: "http://localhost:3000",
    SMTP_URL: "none",
    SANDBOX: "1",
    // The load generator abandons requests, which fail when their server stops.
    LOG_LEVEL: "silent",
    REQUESTS_PER_CALLER: "100000000",
  };
}
