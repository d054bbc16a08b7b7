import type { Settings } from "@purser/platform/settings";

type Headers = Readonly<Record<string, string>>;

/** The headers of API responses: no caching, and nothing to run or frame if a browser shows them. */
export const apiHeaders: Headers = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

/** The headers of pages: they run only our own files and submit forms only to us. */
export const pageHeaders: Headers = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  // With no-referrer, browsers send "Origin: null" from our own pages.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/**
 * The headers of a page whose form redirects to a front end. Browsers apply form-action to every hop of a redirect, so it
 * must list the trusted origins.
 */
export function formHeaders({ trustedOrigins }: Pick<Settings, "trustedOrigins">): Headers {
  const targets = ["'self'", ...trustedOrigins].join(" ");
  const policy = pageHeaders["Content-Security-Policy"] ?? "";
  return {
    ...pageHeaders,
    "Content-Security-Policy": policy.replace("form-action 'self'", `form-action ${targets}`),
  };
}

/** With an https base URL, browsers must use only https for a year. Other hosts of the domain are not affected. */
export function transportHeaders({ baseUrl }: Pick<Settings, "baseUrl">): Headers {
  return baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {};
}
