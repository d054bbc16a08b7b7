import { randomBytes } from "node:crypto";
import type { Settings } from "@purser/platform/settings";
import { type Target, startTarget } from "../load.ts";

/** What the services of one measurement share with whoever fills their database. */
export type Secrets = Pick<Settings, "authSecret" | "encryptionKeys">;

export function newSecrets(): Secrets {
  const encryptionKeys = [{ version: 1, key: randomBytes(32) }];
  return { authSecret: randomBytes(32).toString("base64url"), encryptionKeys };
}

/** The whole service on a database, in a process of its own. */
export function startService(
  databaseUrl: string,
  { authSecret, encryptionKeys }: Secrets,
  more: Record<string, string> = {},
): Promise<Target> {
  return startTarget("service.ts", {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: encryptionKeys.map(({ version, key }) => `${version}:${key.toString("base64")}`).join(),
    BASE_URL: "http://localhost:3000",
    SMTP_URL: "none",
    SANDBOX: "1",
    // The load leaves requests behind that are cut off when their server is stopped.
    LOG_LEVEL: "silent",
    REQUESTS_PER_CALLER: "100000000",
    ...more,
  });
}

/** A row of a table on the console. */
export function line(name: string, ...cells: string[]): string {
  return name.padEnd(46) + cells.map((cell) => cell.padStart(14)).join("");
}
