import { signInUrl } from "@purser/client/auth";
import { baseUrl } from "./base-url.ts";

/** Opens the sign-in page, which leads back here. Never resolves, because the browser leaves this page. */
export function leaveToSignIn(): Promise<never> {
  const { pathname, search, hash } = location;
  location.assign(signInUrl(baseUrl, { next: pathname + search + hash }));
  return new Promise<never>(() => undefined);
}
