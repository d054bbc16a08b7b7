import { PurserError } from "./error.ts";
import type { PurserClientOptions } from "./options.ts";

/** Renews the credential of a client when the server refuses it. */
export interface Renewal {
  /** The options with the present token. */
  options: PurserClientOptions;
  /** Runs a call, and repeats it once with a new credential if it fails with `UNAUTHENTICATED`. */
  run<Output>(call: () => Promise<Output>): Promise<Output>;
}

export function createRenewal(initial: PurserClientOptions): Renewal {
  const { onUnauthorized } = initial;
  let { token } = initial;
  let renewals = 0;
  let running: Promise<boolean> | undefined;

  async function renew(): Promise<boolean> {
    const renewed = await onUnauthorized?.();
    if (renewed === null) return false;
    if (renewed !== undefined) token = renewed;
    renewals += 1;
    return true;
  }

  return {
    options: { ...initial, token: () => (typeof token === "function" ? token() : token) },
    async run(call) {
      const before = renewals;
      try {
        return await call();
      } catch (error) {
        if (onUnauthorized === undefined || !isRefusedCredential(error)) throw error;
        // Another call may have renewed the credential since this one began.
        if (renewals === before) {
          running ??= renew().finally(() => {
            running = undefined;
          });
          if (!(await running)) throw error;
        }
        return call();
      }
    },
  };
}

const isRefusedCredential = (error: unknown) => error instanceof PurserError && error.status === 401;
