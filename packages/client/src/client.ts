import type { CallReply } from "./envelope.ts";
import { procedures } from "./generated/procedures.ts";
import type { PurserClient } from "./generated/purser-client.ts";
import { keyOfAttempts } from "./idempotency-key.ts";
import type { OwnMutationOptions, PurserClientOptions, StreamOptions } from "./options.ts";
import { createRenewal } from "./renewal.ts";
import { withRetries } from "./retry.ts";
import { withTimeLimit } from "./time-limit.ts";
import { type ClientCall, createTransport } from "./transport.ts";

/**
 * Creates a client: an object with a method for every procedure, grouped as on the server.
 *
 * ```ts
 * const purser = createPurserClient({ baseUrl: "https://purser.example.com", token });
 * const cards = await purser.cards.list({ organizationId });
 * ```
 *
 * Every method rejects with a {@link PurserError}. Only your own errors, such as one thrown by the `token` function,
 * are passed through.
 *
 * @throws {TypeError} If `baseUrl` is not the address of a server.
 */
export function createPurserClient(options: PurserClientOptions): PurserClient {
  const renewal = createRenewal(options);
  const send = createTransport(options);

  const invoke: Invoke = (path, type, isAlone, input, own = {}) => {
    const { headers } = own;
    const timeoutMs = own.timeoutMs ?? options.timeoutMs ?? 30_000;
    const retries = own.retries ?? options.retries ?? 4;
    const keyOf = type === "mutation" ? keyOfAttempts(own) : undefined;
    return withTimeLimit(timeoutMs, [own.signal, options.signal], (signal, deadline) => {
      const call = { path, type, input, signal, headers, keyOf, isAlone };
      return renewal.run(
        (clientHeaders) =>
          withRetries((failures) => send({ ...call, failures, clientHeaders }), {
            retries,
            signal,
            deadline,
          }),
        { headers, signal },
      );
    });
  };
  const follow: Follow = (path, input, own = {}) => {
    const leaving = new AbortController();
    const values = (async function* () {
      // Only clients that follow something load it.
      const { streamValues } = await import("./stream.ts");
      yield* streamValues({ path, input, options, renewal, own, leaving });
    })();
    // A generator would end only after its next value, which may never come.
    const leaveBy = (name: "return" | "throw") => {
      const end = values[name].bind(values) as typeof values.throw;
      return (value: unknown) => {
        leaving.abort();
        return end(value);
      };
    };
    return Object.assign(values, { return: leaveBy("return"), throw: leaveBy("throw") });
  };
  // A type test of the generator proves that the table has the shape of the interface.
  return bind(procedures, { invoke, follow }) as unknown as PurserClient;
}

type Invoke = (
  path: string,
  type: ClientCall["type"],
  isAlone: boolean,
  input: unknown,
  options?: OwnMutationOptions,
) => Promise<CallReply>;

type Follow = (
  path: string,
  input: unknown,
  options?: StreamOptions,
) => AsyncGenerator<unknown, void, undefined>;

interface Transports {
  invoke: Invoke;
  follow: Follow;
}

interface Table {
  readonly [name: string]: ClientCall["type"] | "subscription" | Table;
}

function bind(table: Table, transports: Transports, prefix = ""): object {
  const members = Object.entries(table).map(([name, node]) => {
    const path = prefix + name;
    if (typeof node === "object") return [name, bind(node, transports, `${path}.`)];
    if (node !== "subscription") return [name, method(path, node, transports.invoke)];
    const follow = (input: unknown, options?: StreamOptions) => transports.follow(path, input, options);
    return [name, Object.assign(follow, { path, type: node })];
  });
  return Object.fromEntries(members);
}

/** The methods have the types of `methods.ts`. `page` is there for every query, and typed for lists. */
function method(path: string, type: ClientCall["type"], invoke: Invoke): object {
  const caller =
    <Output>(read: (reply: CallReply) => Output, isAlone = false) =>
    async (input: unknown, options?: OwnMutationOptions) =>
      read(await invoke(path, type, isAlone, input, options));
  return Object.assign(
    caller(({ data }) => data),
    {
      path,
      type,
      withResponse: caller(({ data, response }) => ({ data, response }), true),
      page: caller(({ data, nextAfter }) => ({ items: data, nextAfter })),
    },
  );
}
