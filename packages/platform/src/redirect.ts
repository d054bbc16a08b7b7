import { validationFailed } from "@purser/core";
import type { Platform } from "./context.ts";

/**
 * Where a person goes on: the address that was named, if its origin is trusted, or a page of ours. It is given as it
 * was understood here, so that nobody who reads URLs in another way ends elsewhere. Throws VALIDATION_FAILED.
 */
export function trustedRedirect(
  { settings }: Pick<Platform, "settings">,
  redirectUrl: string | undefined,
  page: string,
): string {
  if (redirectUrl === undefined) return `${settings.baseUrl}${page}`;
  const { origin, href } = new URL(redirectUrl);
  if (settings.trustedOrigins.includes(origin)) return href;
  const message = "Must be on a trusted origin";
  throw validationFailed([{ path: ["redirectUrl"], code: "custom", message }]);
}
