import { invalidField } from "@purser/core";
import type { Platform } from "./context.ts";

/**
 * Returns where to send the browser: the requested address if its origin is trusted, or one of our own pages. The result
 * is the parsed, normalized URL: a browser that parses URLs differently still ends at the origin that was checked.
 * Throws VALIDATION_FAILED for an origin that is not trusted.
 */
export function trustedRedirect(
  { settings }: Pick<Platform, "settings">,
  redirectUrl: string | undefined,
  page: string,
): string {
  if (redirectUrl === undefined) return `${settings.baseUrl}${page}`;
  const { origin, href } = new URL(redirectUrl);
  if (settings.trustedOrigins.includes(origin)) return href;
  const message = "Must be on the origin of the service, or on one of TRUSTED_ORIGINS";
  throw invalidField("redirectUrl", message);
}
