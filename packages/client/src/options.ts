/** How a client reaches a Purser server, and as whom. */
export interface PurserClientOptions {
  /** Where the server is, for example `https://purser.example.com`. In a browser `""` is the page's own origin. */
  baseUrl: string | URL;
  /**
   * The bearer token of a sign-in. A function is asked before every request, so that it can renew the token; when
   * it gives nothing, the request goes without one.
   */
  token?: string | (() => Awaitable<string | null | undefined>) | undefined;
  /** Further headers, such as `x-api-key`. A function is asked before every request. */
  headers?: RequestHeaders | (() => Awaitable<RequestHeaders>) | undefined;
  /** Whether a browser sends its cookies: `"include"` for a front end on another origin than the server. */
  credentials?: "include" | "omit" | "same-origin" | undefined;
  /** Takes the place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Whether queries made in the same tick share a request, at most 10 in one. Default: true. A mutation always
   * has a request of its own.
   */
  batch?: boolean | undefined;
  /**
   * How often a call is repeated after a network failure, or an answer that says the server is not ready.
   * Default: 4, which takes some three seconds. 0 turns it off.
   */
  retries?: number | undefined;
}

export type RequestHeaders = NonNullable<RequestInit["headers"]>;

export interface CallOptions {
  /** Ends the call at once, whether it is under way or waits to be repeated: it rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
}

export interface MutationOptions extends CallOptions {
  /**
   * Makes it safe to repeat the mutation later, even from another process: for 24 hours the same key gives the
   * first answer again. 1–255 visible ASCII characters. Without one, the client makes a new key for every call
   * and uses it for its own retries.
   */
  idempotencyKey?: string | undefined;
}

type Awaitable<Value> = Value | Promise<Value>;
