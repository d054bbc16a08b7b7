import type { Settings } from "@purser/platform/settings";

type Headers = Readonly<Record<string, string>>;

/** What programs get: never stored on the way, and nothing to run or to frame should a browser show it. */
export const apiHeaders: Headers = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

/** What people's browsers get: pages that run our own files only, and send forms nowhere else. */
export const pageHeaders: Headers = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  // Not no-referrer: with it browsers send "Origin: null" from our own pages.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/**
 * The same for a page with a form whose answer leads away. Browsers hold a form against every hop of the redirect that
 * answers it, and the last one may lead to the front end that sent the person here.
 */
export function formHeaders({ trustedOrigins }: Pick<Settings, "trustedOrigins">): Headers {
  const targets = ["'self'", ...trustedOrigins].join(" ");
  const policy = pageHeaders["Content-Security-Policy"] ?? "";
  return {
    ...pageHeaders,
    "Content-Security-Policy": policy.replace("form-action 'self'", `form-action ${targets}`),
  };
}

/** Tells browsers to stay on https for a year, where the service is on https at all. */
export function transportHeaders({ baseUrl }: Pick<Settings, "baseUrl">): Headers {
  return baseUrl.startsWith("https:")
    ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
    : {};
}
