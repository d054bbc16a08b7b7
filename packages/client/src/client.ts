import { procedures } from "./generated/procedures.ts";
import type { PurserClient } from "./generated/purser-client.ts";
import type { MutationOptions, PurserClientOptions } from "./options.ts";
import { withRetries } from "./retry.ts";
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
 * @throws {TypeError} If `baseUrl` is not a URL.
 */
export function createPurserClient(options: PurserClientOptions): PurserClient {
  const send = createTransport(options);
  const call: Invoke = (path, type, input, { signal, idempotencyKey } = {}) => {
    const key = type === "mutation" ? (idempotencyKey ?? randomKey()) : undefined;
    const attempt = () => send({ path, type, input, signal, idempotencyKey: key });
    return withRetries(attempt, { retries: options.retries, signal });
  };
  // A type test of the generator proves that the table has the shape of the interface.
  return bind(procedures, call) as unknown as PurserClient;
}

type Invoke = (
  path: string,
  type: ClientCall["type"],
  input: unknown,
  options?: MutationOptions,
) => Promise<unknown>;

interface Table {
  readonly [name: string]: ClientCall["type"] | Table;
}

function bind(table: Table, call: Invoke, prefix = ""): object {
  const members = Object.entries(table).map(([name, node]) => {
    const path = prefix + name;
    if (typeof node === "object") return [name, bind(node, call, `${path}.`)];
    return [name, (input: unknown, options?: MutationOptions) => call(path, node, input, options)];
  });
  return Object.fromEntries(members);
}

/** 128 random bits. Not crypto.randomUUID, which browsers do not offer to pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
