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
  // By the credential that the options have for a call, which a function may return for one of many people.
  const renewed = new Map<string, Renewed>();
  const running = new Map<string, Promise<string | null | undefined>>();
  let renewals = 0;

  /** A token for one call alone is not kept. */
  async function renew(credential: string, isAlone: boolean): Promise<string | null | undefined> {
    const token = (await onUnauthorized!()) as string | null | undefined;
    if (token === null || isAlone) return token;
    renewed.set(credential, { token, number: (renewals += 1) });
    if (renewed.size > maxRenewed) renewed.delete(renewed.keys().next().value!);
    return token;
  }

  /**
   * Renews a credential once for all calls that are refused meanwhile. Returns null if there is no new one. Callers who have
   * none get no token of each other: each renews alone, unless a function returns a credential by now.
   */
  async function renewOnce(credential: string): Promise<string | null | undefined> {
    // A function returned none, and may return one for others.
    const isAlone = !credential && [options.token, options.headers].some((one) => typeof one === "function");
    if (isAlone && credentialOf(await clientHeaders(options))) return undefined;
    const others = running.get(credential);
    const renewal = others ?? renew(credential, isAlone).finally(() => running.delete(credential));
    running.set(credential, renewal);
    const token = await renewal;
    return isAlone && others !== undefined && token !== null ? renewOnce(credential) : token;
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
        if ((renewed.get(credential)?.number ?? 0) <= before) ownToken = await renewOnce(credential);
        if (ownToken === null) throw error;
        signal.throwIfAborted();
        return call(headersOfAttempt);
      }
    },
  };
}
