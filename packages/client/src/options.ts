/** The address of a server, and how to call it. */
export interface PurserClientOptions {
  /** The server's URL, for example `https://purser.example.com`. In a browser, `""` is the origin of the page. */
  baseUrl: string | URL;
  /**
   * The bearer token of a sign-in. A function is called before every request, so it can renew the token. If it returns
   * nothing, the request has no token.
   */
  token?: string | (() => Awaitable<string | null | undefined>) | undefined;
  /** Additional headers, such as `x-api-key`. A function is called before every request. */
  headers?: RequestHeaders | (() => Awaitable<RequestHeaders>) | undefined;
  /** Whether a browser sends cookies. Use `"include"` for a front end on another origin than the server. */
  credentials?: "include" | "omit" | "same-origin" | undefined;
  /** Replaces the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Whether queries of the same tick share a request, up to 10 in one. Mutations are never batched. Default: true.
   */
  batch?: boolean | undefined;
  /**
   * How often a call is retried after a network failure, or while the server is not ready. Retries wait longer each
   * time; 4 take about three seconds. 0 disables them. Default: 4.
   */
  retries?: number | undefined;
}

export type RequestHeaders = NonNullable<RequestInit["headers"]>;

export interface CallOptions {
  /** Ends the call at once, also while it waits for a retry. The call rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
}

export interface MutationOptions extends CallOptions {
  /**
   * Makes it safe to repeat the mutation later, even from another process. For 24 hours, the same key returns the first
   * response again. 1–255 visible ASCII characters. By default, the client creates a key per call, which covers its own
   * retries.
   *
   * ```ts
   * await purser.cards.create(input, { idempotencyKey: `card-for-${orderId}` });
   * ```
   */
  idempotencyKey?: string | undefined;
}

type Awaitable<Value> = Value | Promise<Value>;
