import { PurserError } from "./error.ts";
import type { PurserClientOptions, RequestHeaders } from "./options.ts";
import { clientHeaders } from "./request.ts";

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
const maximumRenewed = 1000;

export function createRenewal(options: PurserClientOptions): Renewal {
  const { onUnauthorized } = options;
  // By the credential that the options have for a call, which a function may return for one of many people.
  const renewed = new Map<string, Renewed>();
  const running = new Map<string, Promise<string | null | undefined>>();
  let renewals = 0;

  async function renew(credential: string): Promise<string | null | undefined> {
    const token = (await onUnauthorized?.()) as string | null | undefined;
    if (token === null) return null;
    renewals += 1;
    // Many people may have no token yet. Only the call that asked gets the new one.
    const isOfMany = credential === "" && typeof options.token === "function";
    const before = renewed.get(credential)?.token;
    // Set again, it is the latest.
    renewed.delete(credential);
    renewed.set(credential, { token: isOfMany ? undefined : (token ?? before), number: renewals });
    const [oldest] = renewed.keys();
    if (renewed.size > maximumRenewed) renewed.delete(oldest!);
    return token;
  }

  /** Returns the token if this call was the first to ask for it. Throws the refusal if there is no new credential. */
  async function renewOnce(credential: string, refusal: unknown): Promise<string | undefined> {
    const others = running.get(credential);
    const own = others ?? renew(credential).finally(() => running.delete(credential));
    running.set(credential, own);
    const token = await own;
    if (token === null) throw refusal;
    return others === undefined ? token : undefined;
  }

  return {
    async run(call, { headers: own, signal }) {
      // Undefined while nothing is sent: the function for the token may itself be refused something.
      let credential: string | undefined;
      let ownToken: string | undefined;
      let before = 0;
      const headersOfAttempt = async () => {
        credential = undefined;
        const headers = await clientHeaders(options);
        credential = credentialOf(headers);
        before = renewals;
        const token = ownToken ?? renewed.get(credential)?.token;
        if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
        return headers;
      };
      try {
        return await call(headersOfAttempt);
      } catch (error) {
        if (onUnauthorized === undefined || credential === undefined || signal.aborted) throw error;
        if (!isRefusedCredential(error)) throw error;
        // The caller's own, of which the client has no other.
        if (credentialOf(new Headers(own)) !== "") throw error;
        // Another call may have renewed the credential since this one began.
        if ((renewed.get(credential)?.number ?? 0) <= before) ownToken = await renewOnce(credential, error);
        signal.throwIfAborted();
        return call(headersOfAttempt);
      }
    },
  };
}

/** The credential in these headers; empty for none, and for the cookie that a browser sends by itself. */
const credentialOf = (headers: Headers) =>
  ["authorization", "x-api-key", "cookie"].flatMap((name) => headers.get(name) ?? []).join("\n");

const isRefusedCredential = (error: unknown) => error instanceof PurserError && error.status === 401;
