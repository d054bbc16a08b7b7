import { readBaseUrl } from "./base-url.ts";
import type { PurserClient } from "./generated/purser-client.ts";

/**
 * Returns the address of the server's API reference, or of its page about a group of methods: `cards`, also for
 * `cards.policies`, `auth` for `@purser/client/auth`, or `problems` for the codes of errors.
 *
 * ```ts
 * const href = referenceUrl("https://purser.example.com", "webhookEndpoints");
 * ```
 *
 * @throws {TypeError} If `baseUrl` is not the address of a server.
 */
export function referenceUrl(
  baseUrl: string | URL,
  group?: keyof PurserClient | "auth" | "problems",
): string {
  const page = `${readBaseUrl(baseUrl)}/docs`;
  return group === undefined ? page : `${page}/${group}`;
}
