import type { Settings } from "@purser/platform/settings";

type Headers = Readonly<Record<string, string>>;

/** Allows only front ends on trusted origins to call from a browser. */
export interface Cors {
  /** Returns the CORS headers for a trusted origin. Without them, the browser hides the response from the page. */
  headersFor(origin: string): Headers | undefined;
  /** Responds to the preflight of a trusted origin. Returns undefined for every other request. */
  preflight(request: Request): Response | undefined;
}

export function trustedCors(trustedOrigins: readonly string[]): Cors {
  const trusted = new Map(trustedOrigins.map((origin) => [origin, headersFor(origin)]));
  return {
    headersFor: (origin) => trusted.get(origin),
    preflight({ method, headers }) {
      // OPTIONS without this header is not a preflight, and gets a 405 like other undocumented methods.
      if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
      if (!trusted.has(headers.get("origin") ?? "")) return undefined;
      return new Response(null, { status: 204, headers: preflightHeaders });
    },
  };
}

const headersFor = (origin: string): Headers => ({
  "Access-Control-Allow-Origin": origin,
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers":
    "Content-Disposition,Idempotency-Replayed,Link,Retry-After,Set-Auth-Token,X-Request-Id",
  Vary: "Origin",
});

const preflightHeaders: Headers = {
  "Access-Control-Allow-Methods": "GET,HEAD,POST,PATCH,DELETE",
  // Baggage, Sentry-Trace, Traceparent and Tracestate are of tracing libraries, which add them to every request of a page.
  "Access-Control-Allow-Headers":
    "Authorization,Baggage,Content-Type,Idempotency-Key,Last-Event-ID,Sentry-Trace,Traceparent,Tracestate,Trpc-Accept,X-Api-Key,X-Request-Id",
  "Access-Control-Max-Age": "600",
  Vary: "Access-Control-Request-Headers",
};

/**
 * Returns the trusted origins that are on another site than the service, as far as that shows: hosts of one site share at least
 * their last two labels. Browsers send the session's cookie from none of them, because it is SameSite=Lax.
 */
export function crossSiteOrigins({
  baseUrl,
  trustedOrigins,
}: Pick<Settings, "baseUrl" | "trustedOrigins">): string[] {
  return trustedOrigins.filter((origin) => lastLabels(origin) !== lastLabels(baseUrl));
}

const lastLabels = (url: string) => new URL(url).hostname.split(".").slice(-2).join(".");
