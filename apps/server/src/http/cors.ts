type Headers = Readonly<Record<string, string>>;

/** Lets the front ends on the trusted origins, and nobody else's, call from a browser. */
export interface Cors {
  /** What an answer to this origin says, nothing to one that is not trusted: that makes a browser keep it to itself. */
  headersFor(origin: string): Headers | undefined;
  /** The answer to a trusted origin's preflight; undefined for every other request. */
  preflight(request: Request): Response | undefined;
}

export function trustedCors(trustedOrigins: readonly string[]): Cors {
  const trusted = new Map(trustedOrigins.map((origin) => [origin, headersFor(origin)]));
  return {
    headersFor: (origin) => trusted.get(origin),
    preflight({ method, headers }) {
      // An OPTIONS request that is no preflight is an undocumented method like any other.
      if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
      if (!trusted.has(headers.get("origin") ?? "")) return undefined;
      return new Response(null, { status: 204, headers: preflightHeaders });
    },
  };
}

const headersFor = (origin: string): Headers => ({
  "Access-Control-Allow-Origin": origin,
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers": "Idempotency-Replayed,Link,Retry-After,Set-Auth-Token,X-Request-Id",
  Vary: "Origin",
});

const preflightHeaders: Headers = {
  "Access-Control-Allow-Methods": "GET,HEAD,POST,PATCH,DELETE",
  "Access-Control-Allow-Headers": "Authorization,Content-Type,Idempotency-Key,X-Api-Key,X-Request-Id",
  "Access-Control-Max-Age": "600",
  Vary: "Access-Control-Request-Headers",
};
