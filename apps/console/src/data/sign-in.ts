import { notifications } from "@mantine/notifications";
import { signInUrl } from "@purser/client/auth";
import { Fragment, createElement } from "react";
import { baseUrl } from "./base-url.ts";
import { hasUnsaved } from "./unsaved.ts";

let isSigningOut = false;

/** While a person signs out, a query that is refused leads nowhere: the start page is about to open. */
export function setSigningOut(isNow: boolean): void {
  isSigningOut = isNow;
}

/**
 * Opens the sign-in page, which leads back here. Never resolves, because the browser leaves this page. A page with something
 * unsaved stays, and the person signs in on another.
 */
export function leaveToSignIn(): Promise<never> {
  const { pathname, search, hash } = location;
  if (!isSigningOut) {
    if (hasUnsaved()) askToSignIn();
    else location.assign(signInUrl(baseUrl, { next: pathname + search + hash }));
  }
  return new Promise<never>(() => undefined);
}

const notice = "signed-out";
let isAsking = false;

function askToSignIn(): void {
  if (isAsking) return;
  isAsking = true;
  const href = signInUrl(baseUrl, { next: "/" });
  const style = { color: "var(--mantine-color-anchor)" };
  const link = createElement(
    "a",
    { href, target: "_blank", rel: "noreferrer", style },
    "Sign in again (new tab)",
  );
  notifications.show({
    id: notice,
    color: "orange",
    title: "You are signed out",
    message: createElement(Fragment, null, "What you have written stays here. ", link),
    autoClose: false,
    role: "alert",
    onClose: () => (isAsking = false),
  });
}

/** Called when the service has responded to a signed-in user. */
export function noteSignedIn(): void {
  if (isAsking) notifications.hide(notice);
}
