import { procedures } from "./generated/procedures.ts";
import type { PurserClient } from "./generated/purser-client.ts";
import type { MutationOptions, PurserClientOptions } from "./options.ts";
import { withRetries } from "./retry.ts";
import { type Call, createTransport } from "./transport.ts";

/**
 * Makes a client: an object with a method for every procedure, grouped as on the server.
 *
 * Every method rejects with a `PurserError`; only an error of your own, such as one thrown by the `token`
 * function, comes through as it is. Throws a TypeError when `baseUrl` is not a URL.
 */
export function createPurserClient(options: PurserClientOptions): PurserClient {
  const send = createTransport(options);
  const call: Invoke = (path, type, input, { signal, idempotencyKey } = {}) => {
    const key = type === "mutation" ? (idempotencyKey ?? randomKey()) : undefined;
    const attempt = () => send({ path, type, input, signal, idempotencyKey: key });
    return withRetries(attempt, { retries: options.retries, signal });
  };
  // That the table has the shape of the interface is proven where both are generated.
  return bind(procedures, call) as unknown as PurserClient;
}

type Invoke = (
  path: string,
  type: Call["type"],
  input: unknown,
  options?: MutationOptions,
) => Promise<unknown>;

interface Table {
  readonly [name: string]: Call["type"] | Table;
}

function bind(table: Table, call: Invoke, prefix = ""): object {
  const members = Object.entries(table).map(([name, node]) => {
    const path = prefix + name;
    if (typeof node === "object") return [name, bind(node, call, `${path}.`)];
    return [name, (input: unknown, options?: MutationOptions) => call(path, node, input, options)];
  });
  return Object.fromEntries(members);
}

/** 128 bits of chance. Not crypto.randomUUID, which browsers withhold from pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
