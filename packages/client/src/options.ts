/** The address of a server, and how to call it. */
export interface PurserClientOptions extends CallOptionsOfAll {
  /** The server's URL, for example `https://purser.example.com`. In a browser, `""` is the origin of the page. */
  baseUrl: string | URL;
  /**
   * The bearer token of a sign-in. A function is called before every attempt of a call, so it can renew the token, or
   * return the one of the person whose request a server handles. If it returns nothing, the request has no token.
   */
  token?: string | null | (() => Awaitable<string | null | undefined>) | undefined;
  /** Additional headers, such as `x-api-key`. A function is called before every attempt of a call. */
  headers?: RequestHeaders | (() => Awaitable<RequestHeaders>) | undefined;
  /**
   * Called when the server refuses a credential (401), once for all calls with this credential that fail meanwhile.
   * Afterwards they are repeated, once each. Return the new token. It replaces the refused credential, and no other that a
   * `token` function returns. Return nothing if `token` or `headers` is a function that now returns the new credential, or if
   * a cookie is renewed. Return null if there is none: the calls then reject with `UNAUTHENTICATED`.
   *
   * Where such a function returned no credential, the returned token is for the refused calls alone. In a page, these share
   * one renewal. Elsewhere, they may be of several people, so each call has its own, one after another, until the function
   * returns a credential.
   *
   * Not called for a call whose own `headers` bring its credential. It must not call this client: that call would wait for
   * the renewal. `createPurserAuth` never calls it.
   */
  onUnauthorized?: (() => Awaitable<string | null | undefined | void>) | undefined;
  /**
   * Whether a browser sends cookies. Use `"include"` for a front end on another origin than the server. Both must be of the
   * same site, such as `app.example.com` and `purser.example.com`: browsers send the session's cookie to no other.
   */
  credentials?: "include" | "omit" | "same-origin" | undefined;
  /** Replaces the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Whether queries of the same tick with equal headers share a request, up to 10 in one. Mutations are never batched.
   * Default: true.
   */
  batch?: boolean | undefined;
}

/** Options of a client that each call can replace. */
interface CallOptionsOfAll {
  /**
   * How long a call may take in milliseconds, with its retries. Then it rejects with `TIMEOUT`. `Infinity` waits without a
   * limit. Default: 30,000.
   */
  timeoutMs?: number | undefined;
  /**
   * How often a call is retried after a failure that is `retryable`, such as a lost connection. Retries wait longer each
   * time; 4 take about three seconds. 0 disables them. A mutation whose first attempt is still running
   * (`IDEMPOTENCY_IN_PROGRESS`) is repeated until `timeoutMs` is over. A stream takes only the `retries` of its call.
   * Default: 4.
   */
  retries?: number | undefined;
  /** Ends the call at once, also while it waits for a retry. The call rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
}

/** Headers, in any form that `fetch` takes. */
export type RequestHeaders = NonNullable<RequestInit["headers"]>;

/** Options of one call. They replace those of the client; only signals and headers are added to them. */
export interface CallOptions extends CallOptionsOfAll {
  /**
   * Additional headers of this call. A credential among them (`authorization`, `x-api-key` or `cookie`) replaces that of
   * the client. A query with headers is not batched.
   */
  headers?: RequestHeaders | undefined;
}

/** Options of a call that follows something. */
export interface StreamOptions extends CallOptions {
  /**
   * Called with true when the first message of a connection arrives, and with false while the connection is lost, also if
   * the first attempt to connect fails. Values that happen after a connection was lost arrive once it is back. If your
   * function throws, the stream rejects with its error.
   *
   * ```ts
   * purser.events.stream({ organizationId }, { onConnection: (isOpen) => banner.toggle(!isOpen) });
   * ```
   */
  onConnection?: ((isOpen: boolean) => void) | undefined;
  /**
   * Called with the position of the stream when it begins, and whenever your loop asks for the next value, so after it has
   * handled the previous one. Store it. As `lastEventId`, it lets another stream continue there, also in another process: a
   * program that ended may get its last value again, and misses none. The next value waits for the returned promise.
   *
   * ```ts
   * const lastEventId = (await store.read()) ?? undefined;
   * const options = { onCursor: (cursor: string) => store.write(cursor) };
   * for await (const event of purser.events.stream({ organizationId, lastEventId }, options)) await handle(event);
   * ```
   */
  onCursor?: ((cursor: string) => Awaitable<void>) | undefined;
}

/** Options of one call of a mutation. */
export interface MutationOptions extends CallOptions {
  /**
   * Makes it safe to repeat the mutation later, even from another process. For 24 hours, the same key returns the first
   * response again. 1–255 visible ASCII characters. A header `idempotency-key` is the same. By default, the client creates a
   * key per call, which covers its own retries.
   *
   * ```ts
   * await purser.cards.create(input, { idempotencyKey: `card-for-${orderId}` });
   * ```
   */
  idempotencyKey?: string | undefined;
}

/** The options of a mutation, with what this package passes on to itself. */
export interface OwnMutationOptions extends MutationOptions {
  /** The key of a mutation for which the caller has none. */
  fallbackKey?: string | undefined;
}

type Awaitable<Value> = Value | Promise<Value>;
