import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import { platformJobs } from "@purser/platform/jobs";
import { hashPassword } from "better-auth/crypto";
import type { AttemptedAccount } from "./attempted-account.ts";
import type { Storage } from "./better-auth-adapter.ts";
import type { Body } from "./body-validation.ts";
import type { IdentityPlatform } from "./context.ts";
import type { Endpoint } from "./endpoints.ts";
import { type NotifiedAccount, isProven, noticesOf } from "./notices.ts";
import type { PasswordUse } from "./options.ts";
import { type AddressChange, useAddressChange } from "./request-checks.ts";
import { type AuthRefusal, readRefusal } from "./responses.ts";
import { hasPassword, lockPassword } from "./store/passwords.ts";
import { deleteSession } from "./store/sessions.ts";
import {
  deleteMailedLinks,
  deleteTrustAndPendingSignIns,
  deleteUsedCode,
  insertUsedCode,
} from "./store/verifications.ts";

export interface ForwardDependencies {
  storage: Storage;
  /** Ends all sessions of the caller but that of the request. */
  endOtherSessions: (headers: Headers) => Promise<void>;
  /** Calls better-auth, and notes in `use` what it does with passwords. */
  forward: (request: Request, use: PasswordUse) => Promise<Response>;
}

/** A request for better-auth, and what to do about it beside the call. */
interface ForwardedRequest {
  endpoint: Endpoint;
  body: Body;
  account: AttemptedAccount | null;
  /** The user whose password is locked during the transaction, or null. */
  locked: string | null;
  change: AddressChange | null;
  /** The account whose owner a success may send mails to, or null. */
  notified: NotifiedAccount | null;
  request: Request;
}

export interface AuthResult {
  response: Response;
  refusal: AuthRefusal | null;
}

/** Has better-auth answer a checked request, in one transaction with what must happen at the same time. */
export async function forwardChecked(
  platform: IdentityPlatform,
  { forward, storage, endOtherSessions }: ForwardDependencies,
  forwarded: ForwardedRequest,
): Promise<AuthResult> {
  const { endpoint, body, account, locked, change, notified, request } = forwarded;
  const use: PasswordUse = { hashed: await hashAhead(endpoint, body) };
  const callBetterAuth = async () => {
    // Under the lock: a key that a concurrent request creates is announced by that request or by this one.
    const notices =
      notified === null
        ? []
        : await noticesOf(storage.executor(), endpoint, notified, platform.settings.appUrl);
    const response = await forward(request, use);
    if (response.status < 400) {
      const isRevoked = endpoint.account === "email" && (await revokeIfPasswordChanged(storage, use));
      if (isRevoked) return invalidSignIn();
      if (notified && notices.length > 0 && (await isProven(storage.executor(), notified)))
        await storage.transact((transaction) =>
          platform.outbox.enqueueAll(transaction, platformJobs.sendMail, notices),
        );
      return { response, refusal: null };
    }
    const refusal = await readRefusal(response);
    // "Not verified" would reveal that a sign-up created the account just now, so the address had none before.
    return refusal.code === "EMAIL_NOT_VERIFIED" ? invalidSignIn() : { response, refusal };
  };
  if (endpoint.account === "challenge")
    return storage.transact(async (transaction) => {
      if (locked !== null) await lockPassword(transaction, locked);
      // A refusal is committed, because better-auth counts it.
      return endpoint.code
        ? withUnusedCode(platform, transaction, forwarded, callBetterAuth)
        : callBetterAuth();
    });
  if (!endpoint.atomic) return callBetterAuth();
  try {
    return await storage.transact(async (transaction) => {
      if (locked !== null) await lockPassword(transaction, locked);
      if (change !== null) {
        await useAddressChange(transaction, change, platform.clock.now());
        await platform.identityHooks.addressChanges(transaction, change.userId);
      }
      // Before better-auth, which then finds none.
      if (endpoint.endsOthers) await endOtherSessions(request.headers);
      const result = await callBetterAuth();
      // The session ended while the transaction waited for the lock.
      if (endpoint.outlives && result.response.status === 401) throw new Problem("UNAUTHENTICATED");
      if (result.refusal !== null || redirectsWithError(result.response)) throw new RolledBack(result);
      if (change !== null) await deleteMailedLinks(transaction, change.userId);
      if (endpoint.endsTrust && account?.userId)
        await deleteTrustAndPendingSignIns(transaction, account.userId);
      if (endpoint.endsLinks && account?.userId) await deleteMailedLinks(transaction, account.userId);
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result;
    throw error;
  }
}

/** With a `callbackURL`, better-auth tells the front end of an error by a redirect. */
function redirectsWithError({ status, headers }: Response): boolean {
  const location = status === 302 ? headers.get("location") : null;
  return location !== null && new URL(location, "http://front.end").searchParams.has("error");
}

/** Thrown to roll back a transaction whose response is a refusal. */
class RolledBack extends Error {
  readonly result: AuthResult;
  constructor(result: AuthResult) {
    super("The transaction was rolled back");
    this.result = result;
  }
}

const invalidSignIn = (): AuthResult => ({
  response: new Response(null, { status: 401 }),
  refusal: { code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" },
});

/**
 * Ends a sign-in whose password was replaced after better-auth had read it, and returns whether it was. The request that
 * replaced it did not see what this sign-in opened. A lock during the sign-in would hold a connection for each attempt.
 */
async function revokeIfPasswordChanged(
  storage: Storage,
  { matched, session }: PasswordUse,
): Promise<boolean> {
  if (!matched || !session) return false;
  return storage.transact(async (transaction) => {
    if (await hasPassword(transaction, session.userId, matched)) return false;
    await deleteSession(transaction, session.id);
    await deleteTrustAndPendingSignIns(transaction, session.userId);
    return true;
  });
}

/**
 * Has better-auth check a one-time code, unless it was used before. A concurrent use of the same code waits until this
 * transaction ends.
 */
async function withUnusedCode(
  { clock }: IdentityPlatform,
  transaction: Transaction,
  { account, body }: ForwardedRequest,
  callBetterAuth: () => Promise<AuthResult>,
): Promise<AuthResult> {
  const { code } = body;
  if (!account?.userId || typeof code !== "string") return callBetterAuth();
  const used = { userId: account.userId, code };
  if (!(await insertUsedCode(transaction, used, clock.now()))) {
    const refusal = { code: "INVALID_CODE", message: "Invalid code" };
    return { response: new Response(null, { status: 401 }), refusal };
  }
  const result = await callBetterAuth();
  if (result.refusal !== null) await deleteUsedCode(transaction, used);
  return result;
}

export async function hashAhead({ sets, hashes }: Endpoint, body: Body): Promise<string | undefined> {
  const password = hashes && sets && body[sets];
  return typeof password === "string" ? hashPassword(password) : undefined;
}
