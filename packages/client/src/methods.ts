import type { CallOptions, MutationOptions, StreamOptions } from "./options.ts";

/** A procedure that reads. */
export interface PurserQuery<Input, Output> {
  (...call: PurserArguments<Input, CallOptions>): Promise<Output>;
  /** Calls the procedure, and returns status, headers and request id of the response as well. It is never batched. */
  withResponse: (...call: PurserArguments<Input, CallOptions>) => Promise<WithResponse<Output>>;
  /** The name of the procedure, for example `cards.list`. */
  readonly path: string;
  readonly type: "query";
}

/** A procedure that returns a list in pages. Call it to get the items of one page. */
export interface PurserList<Input, Item> extends PurserQuery<Input, Item[]> {
  /**
   * Returns a page with the cursor of the next one.
   *
   * ```ts
   * const { items, nextAfter } = await purser.cards.list.page({ organizationId, limit: 50 });
   * if (nextAfter !== null) await purser.cards.list.page({ organizationId, limit: 50, after: nextAfter });
   * ```
   */
  page: (...call: PurserArguments<Input, CallOptions>) => Promise<ListPage<Item>>;
}

/** A procedure that changes something. */
export interface PurserMutation<Input, Output> {
  (...call: PurserArguments<Input, MutationOptions>): Promise<Output>;
  /** Calls the procedure, and returns status, headers and request id of the response as well. */
  withResponse: (...call: PurserArguments<Input, MutationOptions>) => Promise<WithResponse<Output>>;
  /** The name of the procedure, for example `cards.create`. */
  readonly path: string;
  readonly type: "mutation";
}

/** A procedure whose values arrive as they happen. */
export interface PurserStream<Input, Value> {
  /**
   * Iterates over the values until you leave the loop. After a lost connection it connects again and continues after the
   * last value, as often as necessary: `retries` limits the failures in a row, and `timeoutMs` each attempt to connect.
   *
   * ```ts
   * for await (const event of purser.events.stream({ organizationId })) console.log(event.type);
   * ```
   */
  (...call: PurserArguments<Input, StreamOptions>): AsyncGenerator<Value, void, undefined>;
  /** The name of the procedure, for example `events.stream`. */
  readonly path: string;
  readonly type: "subscription";
}

/** A page of a list. */
export interface ListPage<Item> {
  items: Item[];
  /** The `after` of the next page. Null if this is the last page. */
  nextAfter: string | null;
}

/** The output of a call, and the response that it came with. */
export interface WithResponse<Output> {
  data: Output;
  response: ResponseInfo;
}

/** What a response says besides its content. */
export interface ResponseInfo {
  /** The HTTP status. */
  status: number;
  /** For example `idempotency-replayed`, which is `true` for a repeated mutation. */
  headers: Headers;
  /** Identifies the request in the server's log. Include it in support requests. */
  requestId: string | undefined;
}

/** An input that may be undefined may be left out. */
export type PurserArguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];
