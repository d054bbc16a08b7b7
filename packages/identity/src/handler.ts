import { Problem } from "@purser/core";
import { type ConcurrencyLimit, createConcurrencyLimit, toProblem } from "@purser/platform";
import type { Transaction } from "@purser/db";
import { platformJobs } from "@purser/platform/jobs";
import type { Mail } from "@purser/platform/mail";
import { hashPassword } from "better-auth/crypto";
import { identityJobs, isMailPath, readAccountMail } from "./account-mails.ts";
import { type AttemptedAccount, type UserLookup, findAttemptedAccount } from "./attempted-account.ts";
import type { Storage } from "./better-auth-adapter.ts";
import { describeFailure } from "./better-auth-logger.ts";
import { type Body, assertContract, assertJson, checkQuery, readBody } from "./body-validation.ts";
import type { IdentityPlatform } from "./context.ts";
import { keepCookies } from "./credentials.ts";
import type { Endpoint } from "./endpoints.ts";
import { passwordLength } from "./contract/objects.ts";
import { noticesOf } from "./notices.ts";
import { type PasswordUse, addressHeader, cookieName, cookies } from "./options.ts";
import {
  type AddressChange,
  assertLinkOfAccount,
  assertKeyOfUser,
  assertMaySignUp,
  assertSafeRedirects,
  assertTrustedOrigin,
  findAddressChange,
  sanitizeHeaders,
  useAddressChange,
} from "./request-checks.ts";
import type { ResolveUser } from "./resolve-caller.ts";
import { type AuthRefusal, AuthRefused, problemResponse, readRefusal, refusalResponse } from "./responses.ts";
import { type Route, allowOf, basePath, findRoute, isPublic } from "./route.ts";
import { hasPassword, lockPassword } from "./store/passwords.ts";
import { deleteSession } from "./store/sessions.ts";
import { hasSecondFactor } from "./store/two-factors.ts";
import { deleteUsedCode, endLinks, endTrust, insertUsedCode } from "./store/verifications.ts";
import type { Throttle } from "./throttle.ts";

/**
 * The number of password hashes at once: the size of Node's thread pool. More would only hold database connections
 * that other requests wait for.
 */
const maxConcurrentHashes = 4;

/** Where a request under /api/auth comes from, as the server sees it. */
export interface RequestOrigin {
  /** The client's address, from the socket or from a trusted proxy. */
  address: string;
  requestId: string;
  /** Reads the body of a request that has a path and a method of ours. Throws PAYLOAD_TOO_LARGE. Default: without a limit. */
  readBody?: () => Promise<Uint8Array>;
  /** Counts the request against the limit of all requests. Throws RATE_LIMITED. Default: no limit. */
  countRequest?: () => Promise<void>;
}

interface Parts {
  storage: Storage;
  /** Limits concurrent password hashing. */
  limitHashing: ConcurrencyLimit;
  throttle: Throttle;
  resolveUser: ResolveUser;
  /** Returns the user of the pending two-factor sign-in, or null. */
  findChallenged: (headers: Headers) => ReturnType<UserLookup["challenged"]>;
  /** Ends all sessions of the caller but that of the request. */
  endOtherSessions: (headers: Headers) => Promise<void>;
  /** Calls better-auth, and notes in `use` what it does with passwords. */
  forward: (request: Request, use: PasswordUse) => Promise<Response>;
}

/**
 * Creates the handler around better-auth. It checks limits and credentials first, and turns errors into problem
 * documents. better-auth receives exactly the input that was checked, under the path that was matched.
 */
export function createHandler(platform: IdentityPlatform, ports: Omit<Parts, "limitHashing">) {
  const parts: Parts = { ...ports, limitHashing: createConcurrencyLimit(maxConcurrentHashes) };
  return async function handle(request: Request, origin: RequestOrigin): Promise<Response> {
    try {
      return await parts.storage.request(request.headers, () =>
        handleRequest(platform, parts, request, origin),
      );
    } catch (error) {
      const { requestId } = origin;
      if (error instanceof AuthRefused)
        return refusalResponse(error.refusal, new Response(null, { status: error.status }), requestId);
      const problem = toProblem(error);
      // A limit of the transport refuses without a cause, and counts what it refuses.
      if (problem.status >= 500 && !(problem === error && problem.cause === undefined))
        platform.logger.error(
          // Not under "error": a logger may expect an Error under that key and drop this object.
          { requestId, failure: describeFailure(problem.cause) },
          "A sign-in request failed",
        );
      const headers = new Headers(problem.code === "METHOD_NOT_ALLOWED" ? { allow: allowOf(request) } : {});
      return problemResponse(problem, requestId, headers);
    }
  };
}

async function handleRequest(
  platform: IdentityPlatform,
  parts: Parts,
  request: Request,
  origin: RequestOrigin,
): Promise<Response> {
  const { throttle, resolveUser } = parts;
  const route = findRoute(request);
  const { path, method, endpoint } = route;
  const bytes = await readBytes(request, origin, route);
  await origin.countRequest?.();
  await throttle.countAddress(endpoint, origin.address);
  const headers = await sanitizeHeaders(request.headers, resolveUser, route);
  // better-auth checks it, too, but only after the origin and the input.
  if (!isPublic(route) && (await resolveUser(headers)) === null) throw new Problem("UNAUTHENTICATED");
  assertTrustedOrigin(platform, headers, route);
  const body = readBody(bytes);
  const query = new URL(request.url).searchParams;
  checkQuery(path, query);
  assertSafeRedirects(platform, route, body, query);
  assertKeyOfUser(platform, body);

  const users: UserLookup = {
    caller: () => resolveUser(headers),
    challenged: () => parts.findChallenged(headers),
    hasSecondFactor: (userId) => hasSecondFactor(platform.db, userId),
  };
  const link = path === "/verify-email" ? (query.get("token") ?? "") : null;
  const change = link === null ? null : await findAddressChange(link, users);
  if (link !== null && change === null) await assertLinkOfAccount(platform, link);
  assertPasswordLength(route, body);
  const isSignUp = path === "/sign-up/email";
  if (isSignUp || isMailPath(path, platform.settings)) assertContract(path, body);
  if (isSignUp) await assertMaySignUp(platform, body);
  if (isMailPath(path, platform.settings)) {
    await throttle.countMail(route, body);
    const hash = () => parts.limitHashing("", () => hashAhead(endpoint, body));
    const { mail, answer } = await readAccountMail(path, body, () => users.caller(), hash);
    await parts.storage.transact((transaction) =>
      platform.outbox.enqueue(transaction, identityJobs.accountMail, mail),
    );
    return Response.json(answer);
  }
  const account = await findAttemptedAccount(endpoint, body, users);
  assertContract(path, body);
  const notices = await noticesOf(endpoint, users, change, platform.settings.appUrl);
  const attempt = account && (await throttle.begin(account));

  keepCookies(headers, cookieNames(platform.settings, account));
  headers.set(addressHeader, origin.address);
  headers.set("content-type", "application/json");
  const url = `${platform.settings.baseUrl}${basePath}${path}${query.size > 0 ? `?${query.toString()}` : ""}`;
  const content = method === "POST" ? JSON.stringify(body) : null;
  const forwarded = new Request(url, { method, headers, body: content });
  const work: Work = { endpoint, body, account, change, notices, request: forwarded };
  let outcome: Answer | null = null;
  try {
    const go = () => run(platform, parts, work);
    outcome = endpoint.sets || endpoint.account ? await parts.limitHashing("", go) : await go();
  } finally {
    await attempt?.settle(throttle.outcome(outcome?.refusal ?? null));
  }
  const { response, refusal } = outcome;
  if (refusal === null) return response;
  if (response.status >= 500) {
    const { code } = refusal;
    const cause = Object.assign(new Error("better-auth failed"), { code, status: response.status });
    throw new Problem("INTERNAL", { cause });
  }
  return refusalResponse(refusal, response, origin.requestId);
}

/** Reads the body of a POST. Throws PAYLOAD_TOO_LARGE and UNSUPPORTED_MEDIA_TYPE. */
async function readBytes(
  request: Request,
  { readBody: read = async () => new Uint8Array(await request.arrayBuffer()) }: RequestOrigin,
  { method }: Route,
): Promise<Uint8Array> {
  const bytes = method === "POST" ? await read() : new Uint8Array();
  assertJson(request.headers, bytes);
  return bytes;
}

/** Returns the cookies that better-auth may see: none of another account than the one that the attempt counts against. */
function cookieNames(settings: IdentityPlatform["settings"], account: AttemptedAccount | null): string[] {
  const hidden = { email: null, caller: "two_factor", challenge: "session_token" } as const;
  const without = account && hidden[account.namedBy];
  return cookies.filter((name) => name !== without).map((name) => cookieName(settings, name));
}

interface Answer {
  response: Response;
  refusal: AuthRefusal | null;
}

const invalidSignIn = (): Answer => ({
  response: new Response(null, { status: 401 }),
  refusal: { code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" },
});

/** What is left to do of a request that has passed all checks. */
interface Work {
  endpoint: Endpoint;
  body: Body;
  account: AttemptedAccount | null;
  change: AddressChange | null;
  /** The mails that a success sends. */
  notices: Mail[];
  request: Request;
}

/** Thrown to roll back a transaction whose response is a refusal. */
class RolledBack extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super("The transaction was rolled back");
    this.answer = answer;
  }
}

async function run(platform: IdentityPlatform, parts: Parts, work: Work): Promise<Answer> {
  const { forward, storage } = parts;
  const { endpoint, body, account, change } = work;
  const use: PasswordUse = { hashed: await hashAhead(endpoint, body) };
  const go = async () => {
    const response = await forward(work.request, use);
    if (response.status < 400) {
      const isOvertaken = endpoint.account === "email" && (await endOvertakenSignIn(storage, use));
      if (isOvertaken) return invalidSignIn();
      if (work.notices.length > 0)
        await storage.transact((transaction) =>
          platform.outbox.enqueueAll(transaction, platformJobs.sendMail, work.notices),
        );
      return { response, refusal: null };
    }
    const refusal = await readRefusal(response);
    // "Not verified" would reveal that a sign-up created the account just now, so the address had none before.
    return refusal.code === "EMAIL_NOT_VERIFIED" ? invalidSignIn() : { response, refusal };
  };
  if (endpoint.account === "challenge")
    return storage.transact(async (transaction) => {
      if (account?.userId) await lockPassword(transaction, account.userId);
      // A refusal is committed, because better-auth counts it.
      return endpoint.code ? withUnusedCode(platform, transaction, work, go) : go();
    });
  if (!endpoint.atomic) return go();
  try {
    return await storage.transact(async (transaction) => {
      if (account?.userId) await lockPassword(transaction, account.userId);
      if (change !== null) await useAddressChange(transaction, change, platform.clock.now());
      // Before better-auth, which then finds none.
      if (endpoint.endsOthers) await parts.endOtherSessions(work.request.headers);
      const answered = await go();
      if (answered.refusal !== null) throw new RolledBack(answered);
      if (change !== null) await endLinks(transaction, change.userId);
      if (endpoint.endsTrust && account?.userId) await endTrust(transaction, account.userId);
      if (endpoint.endsLinks && account?.userId) await endLinks(transaction, account.userId);
      return answered;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.answer;
    throw error;
  }
}

/**
 * Ends a sign-in whose password was replaced after better-auth had read it, and returns whether it was. The request that
 * replaced it did not see what this sign-in opened. A lock during the sign-in would hold a connection for each attempt.
 */
async function endOvertakenSignIn(storage: Storage, { matched, session }: PasswordUse): Promise<boolean> {
  if (!matched || !session) return false;
  return storage.transact(async (transaction) => {
    if (await hasPassword(transaction, session.userId, matched)) return false;
    await deleteSession(transaction, session.id);
    await endTrust(transaction, session.userId);
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
  { account, body }: Work,
  go: () => Promise<Answer>,
): Promise<Answer> {
  const { code } = body;
  if (!account?.userId || typeof code !== "string") return go();
  const used = { userId: account.userId, code };
  if (!(await insertUsedCode(transaction, used, clock.now()))) {
    const refusal = { code: "INVALID_CODE", message: "Invalid code" };
    return { response: new Response(null, { status: 401 }), refusal };
  }
  const answered = await go();
  if (answered.refusal !== null) await deleteUsedCode(transaction, used);
  return answered;
}

/** Refuses a new password with an invalid length, as better-auth does. It does not check the length everywhere. */
function assertPasswordLength({ endpoint: { sets } }: Route, body: Body): void {
  const password = sets && body[sets];
  if (typeof password !== "string") return;
  const isShort = password.length < passwordLength.minimum;
  if (!isShort && password.length <= passwordLength.maximum) return;
  const refusal = isShort
    ? { code: "PASSWORD_TOO_SHORT", message: "Password too short" }
    : { code: "PASSWORD_TOO_LONG", message: "Password too long" };
  throw new AuthRefused(refusal, 400);
}

async function hashAhead({ sets, hashes }: Endpoint, body: Body): Promise<string | undefined> {
  const password = hashes && sets && body[sets];
  return typeof password === "string" ? hashPassword(password) : undefined;
}
