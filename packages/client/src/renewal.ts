import { PurserError } from "./error.ts";
import type { PurserClientOptions, RequestHeaders } from "./options.ts";
import { clientHeaders, credentialOf } from "./request.ts";

/** Renews a credential when the server refuses it. */
export interface Renewal {
  /**
   * Runs a call, and repeats it once with a new credential if it fails with `UNAUTHENTICATED`. The call gets what returns the
   * headers of the client for an attempt, with the present token.
   */
  run<Output>(
    call: (headersOfAttempt: () => Promise<Headers>) => Promise<Output>,
    own: OwnOptions,
  ): Promise<Output>;
}

/** What a call itself has. */
interface OwnOptions {
  headers: RequestHeaders | undefined;
  signal: AbortSignal;
}

/** A credential that was renewed. */
interface Renewed {
  /** Replaces the credential. Undefined if a function of the caller returns the new one. */
  token: string | undefined;
  /** The number of the renewal among all. */
  number: number;
}

/** One client of a server may call for many people. Who is forgotten has their token renewed again. */
const maxRenewed = 1000;

export function createRenewal(options: PurserClientOptions): Renewal {
  const { onUnauthorized } = options;
  const hasFunction = typeof options.token === "function" || typeof options.headers === "function";
  // All calls of a page are of one person. Elsewhere, a function may return no credential for several people.
  const isShared = hasFunction && !(globalThis as { location?: object }).location;
  // By the credential that the options have for a call, which a function may return for one of many people.
  const renewed = new Map<string, Renewed>();
  const running = new Map<string, Promise<string | null | undefined>>();
  let renewals = 0;

  async function renew(credential: string): Promise<string | null | undefined> {
    const token = (await onUnauthorized!()) as string | null | undefined;
    // A function that returned no credential returns this token from now on, and none again after a sign-out. Outside a page,
    // the next caller without a credential may be another person.
    if (token !== null && (credential || !hasFunction || (!token && !isShared))) {
      renewed.set(credential, { token, number: (renewals += 1) });
      if (renewed.size > maxRenewed) renewed.delete(renewed.keys().next().value!);
    }
    return token;
  }

  /**
   * Renews a credential once for all calls that are refused meanwhile. Returns null if there is no new one. Callers without
   * a credential who may be several people have a renewal each, one after another, unless a function returns a credential by
   * now.
   */
  async function renewOnce(credential: string, signal: AbortSignal): Promise<string | null | undefined> {
    if (!credential && hasFunction && credentialOf(await clientHeaders(options))) return undefined;
    let renewal = running.get(credential);
    if (renewal && !credential && isShared) {
      await renewal.catch(() => {});
      signal.throwIfAborted();
      return renewOnce(credential, signal);
    }
    renewal ??= renew(credential).finally(() => running.delete(credential));
    running.set(credential, renewal);
    return renewal;
  }

  return {
    async run(call, { headers: own, signal }) {
      // Undefined while nothing is sent: the function for the token may itself be refused something.
      let credential: string | undefined;
      let ownToken: string | null | undefined;
      let before = 0;
      const headersOfAttempt = async () => {
        credential = undefined;
        const headers = await clientHeaders(options);
        credential = credentialOf(headers);
        before = renewals;
        const token = ownToken ?? renewed.get(credential)?.token;
        if (token) {
          headers.set("authorization", `Bearer ${token}`);
          // The server would look at a refused key first.
          headers.delete("x-api-key");
        }
        return headers;
      };
      try {
        return await call(headersOfAttempt);
      } catch (error) {
        if (!onUnauthorized || credential === undefined || signal.aborted) throw error;
        if (!(error instanceof PurserError) || error.status !== 401) throw error;
        // The caller's own, of which the client has no other.
        if (credentialOf(new Headers(own))) throw error;
        // Another call may have renewed the credential since this one began.
        if ((renewed.get(credential)?.number ?? 0) <= before) ownToken = await renewOnce(credential, signal);
        if (ownToken === null) throw error;
        signal.throwIfAborted();
        return call(headersOfAttempt);
      }
    },
  };
}
