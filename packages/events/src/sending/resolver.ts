import { Resolver, lookup } from "node:dns/promises";

/** Returns the IP addresses of a host name. Rejects if it has none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the name servers of the machine. A name server that does not respond delays nothing else: the system's own
 * function would occupy one of the few threads that files and ciphers need too.
 */
export function publicResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const [first] = answers;
    throw first.status === "rejected" ? first.reason : new Error(`${hostname} has no address`);
  };
}

/** Asks the system, which also knows `localhost` and the names in its hosts file. */
export const systemResolver: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
