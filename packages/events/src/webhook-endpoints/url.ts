import { isIP } from "node:net";
import { invalidField } from "@purser/core";
import type { Platform } from "@purser/platform";
import { isPublicAddress } from "../sending/address.ts";
import { isAllowedForm } from "../sending/client.ts";

/** Throws VALIDATION_FAILED for an input with an address that cannot be that of an endpoint. */
export function requireEndpointUrl(
  { settings }: Pick<Platform, "settings">,
  { url }: { url?: string | undefined },
): void {
  if (url === undefined) return;
  const message = refuseEndpointUrl(url, { allowPrivate: settings.webhooksAllowPrivate });
  if (message !== null) throw invalidField("url", message);
}

/**
 * Returns why an address cannot be that of an endpoint, as a sentence; null if it can. Names are resolved when they are
 * dialed, not here: what they resolve to may change.
 */
function refuseEndpointUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  const url = URL.parse(text);
  // The parser removes blanks and line breaks, but the original text is stored.
  if (url === null || /[\s\p{Cc}]/u.test(text)) return "Must be a URL";
  if (url.username !== "" || url.password !== "") return "Must not contain a user name or a password";
  if (!isAllowedForm(url, { allowPrivate }))
    return allowPrivate ? "Must be an http or https URL" : "Must be an https URL with port 443 or 80";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isLocal = isIP(host) === 0 ? /^localhost\.?$|\.localhost\.?$/.test(host) : !isPublicAddress(host);
  if (isLocal && !allowPrivate) return "Must be an address that the internet can reach";
  return null;
}
