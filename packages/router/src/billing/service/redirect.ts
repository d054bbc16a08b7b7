import type { Platform } from "../../context.ts";
import { validationFailed } from "../../problems.ts";

/** Where a person goes on: the address that was named, if its origin is trusted, or a page of ours. */
export function trustedRedirect(
  { settings }: Pick<Platform, "settings">,
  redirectUrl: string | undefined,
  page: string,
): string {
  if (redirectUrl === undefined) return `${settings.baseUrl}${page}`;
  if (settings.trustedOrigins.includes(new URL(redirectUrl).origin)) return redirectUrl;
  const message = "Must be on a trusted origin";
  throw validationFailed([{ path: ["redirectUrl"], code: "custom", message }]);
}
