import { signInUrl } from "@purser/client/auth";
import { baseUrl } from "./base-url.ts";

let isSigningOut = false;

/** While a person signs out, a query that is refused leads nowhere: the start page is about to open. */
export function setSigningOut(isNow: boolean): void {
  isSigningOut = isNow;
}

/** Opens the sign-in page, which leads back here. Never resolves, because the browser leaves this page. */
export function leaveToSignIn(): Promise<never> {
  const { pathname, search, hash } = location;
  if (!isSigningOut) location.assign(signInUrl(baseUrl, { next: pathname + search + hash }));
  return new Promise<never>(() => undefined);
}
