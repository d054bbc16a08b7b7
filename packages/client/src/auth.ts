import type { AuthCallOptions, OpenedSession } from "./auth-methods.ts";
import { baseUrlReader } from "./base-url.ts";
import { readProblem } from "./envelope.ts";
import { again } from "./failures.ts";
import { authDateFields, authOpaqueFields, authOperations } from "./generated/auth-operations.ts";
import type { PurserAuth } from "./generated/purser-auth.ts";
import type { PurserClientOptions } from "./options.ts";
import { queryOf } from "./query-of.ts";
import { type HttpReply, clientHeaders, createRequester } from "./request.ts";
import { withRetries } from "./retry.ts";
import { withTimeLimit } from "./time-limit.ts";

export { type AuthCall, type AuthCallOptions, type OpenedSession, type SessionCall } from "./auth-methods.ts";
export type * from "./generated/purser-auth.ts";
export { passwordLength } from "./generated/password-length.ts";
export { signInUrl } from "./sign-in-url.ts";

/**
 * Creates a client of `/api/auth`: sign-up, sign-in, sessions, the second factor and API keys.
 *
 * ```ts
 * const auth = createPurserAuth({ baseUrl: "https://purser.example.com" });
 * const { bearerToken } = await auth.signIn.email({ email, password });
 * ```
 *
 * It takes the options of `createPurserClient`, and never calls `onUnauthorized`. Sign-up, sign-in and the reset of a password
 * send neither the token nor the API key of these options: a stored one may have ended. Its methods reject with a `PurserError`,
 * whose code can also be one of better-auth's, such as `INVALID_EMAIL_OR_PASSWORD`. Only reads are retried: a second sign-up
 * is another sign-up.
 */
export function createPurserAuth(options: PurserClientOptions): PurserAuth {
  const readAddress = baseUrlReader(options.baseUrl);
  const send = createRequester(options);

  async function call(operation: string, input: object = {}, own: AuthCallOptions = {}): Promise<unknown> {
    const [method, path, note] = operation.split(" ") as ["GET" | "POST", string, ("session" | "once")?];
    const baseUrl = readAddress();
    const isRead = method === "GET";
    const headers = new Headers(own.headers);
    const url = `${baseUrl}/api/auth${path}${isRead ? queryOf(input) : ""}`;
    const request = { method, url, headers, ...(!isRead && { body: JSON.stringify(input, withAllNumbers) }) };
    const timeoutMs = own.timeoutMs ?? options.timeoutMs ?? 30_000;
    const retries = isRead && note !== "once" ? (own.retries ?? options.retries ?? 4) : 0;
    const isAnonymous = own.challenge !== undefined || anonymousPaths.test(path);
    const attempt = async (signal: AbortSignal) => {
      const common = await clientHeaders(isAnonymous ? { ...options, token: undefined } : options);
      if (isAnonymous) ["authorization", "x-api-key"].forEach((name) => common.delete(name));
      if (own.challenge) {
        headers.set("cookie", own.challenge);
        // The server takes a cookie only from a trusted origin. Its own is one, unless it is reached by another address.
        headers.set("origin", headers.get("origin") ?? common.get("origin") ?? new URL(baseUrl).origin);
      }
      const reply = await send({ ...request, clientHeaders: common, signal }).catch(rethrow);
      const output = outputOf(reply);
      return note === "session" ? { ...(output as object), ...sessionOf(output, reply) } : output;
    };
    return withTimeLimit(timeoutMs, [own.signal, options.signal], (signal, deadline) =>
      withRetries(() => attempt(signal), { retries, signal, deadline }),
    );
  }

  const auth = {};
  for (const operation of authOperations) {
    const [, path = ""] = operation.split(" /");
    const [address = ""] = path.split(" ");
    const names = address
      .split("/")
      .map((part) => part.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
    const name = names.pop() ?? "";
    const group = names.reduce<Record<string, object>>((node, one) => (node[one] ??= {}) as never, auth);
    group[name] = (input?: object, own?: AuthCallOptions) => call(operation, input, own);
  }
  // The interface is generated from the same operations.
  return auth as PurserAuth;
}

/**
 * What nobody must be signed in for. The server refuses an ended credential here too, so a stored one would make it
 * impossible to sign in again.
 */
const anonymousPaths = /^\/(sign-(up|in)\/|request-password-reset|reset-password)/;

/** JSON has null instead of NaN and infinity, and a key that ends after null seconds never ends. A text is refused. */
const withAllNumbers = (_: string, value: unknown) =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

function outputOf({ body, ...response }: HttpReply): unknown {
  if (response.status >= 400 || body === undefined) throw readProblem(body, response);
  return withDates(body);
}

function sessionOf(output: unknown, { headers }: HttpReply): OpenedSession {
  // A browser hides cookies, and sends them by itself.
  const cookies = headers.getSetCookie().map((text) => text.split(";")[0]);
  const isChallenged = isRecord(output) && output["twoFactorRedirect"] === true && cookies.length > 0;
  return { bearerToken: headers.get("set-auth-token"), challenge: isChallenged ? cookies.join("; ") : null };
}

/** Reads the dates in a response. What the caller stored stays as it is. */
function withDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDates);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => {
    if (authOpaqueFields.includes(name)) return [name, item];
    const isDate = typeof item === "string" && authDateFields.includes(name);
    return [name, isDate ? new Date(item) : withDates(item)];
  });
  return Object.fromEntries(entries);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function rethrow(error: unknown): never {
  throw again(error);
}
