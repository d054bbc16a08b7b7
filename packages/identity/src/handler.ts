import { Problem, assertJson } from "@purser/core";
import { type ConcurrencyLimit, createConcurrencyLimit, toProblem } from "@purser/platform";
import { type MailPath, identityJobs, isMailPath, readAccountMail } from "./account-mails.ts";
import { type AttemptedAccount, type UserLookup, findAttemptedAccount } from "./attempted-account.ts";
import { describeFailure } from "./better-auth-logger.ts";
import { type Body, assertContract, checkQuery, readBody } from "./body-validation.ts";
import type { IdentityPlatform } from "./context.ts";
import { restrictCookies } from "./credentials.ts";
import { passwordLength } from "./contract/objects.ts";
import { type AuthResult, type ForwardDependencies, forwardChecked, hashAhead } from "./forward.ts";
import type { NotifiedAccount } from "./notices.ts";
import { addressHeader, cookieName, cookies } from "./options.ts";
import {
  type AddressChange,
  type UnverifiedAccount,
  assertKeyOfUser,
  assertMaySignUp,
  assertSafeRedirects,
  assertTrustedOrigin,
  encodeRedirects,
  findAddressChange,
  findUnverifiedAccount,
  sanitizeHeaders,
} from "./request-checks.ts";
import type { ResolveUser } from "./resolve-caller.ts";
import { AuthRefused, problemResponse, refusalResponse } from "./responses.ts";
import { type Route, allowOf, basePath, findRoute, isPublic, opensSession } from "./route.ts";
import { findPasswordHash } from "./store/passwords.ts";
import { hasSecondFactor } from "./store/two-factors.ts";
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
  /** Called with the endpoint of the request. */
  onRoute?: (path: string) => void;
  /** Called with the user of the request, if its endpoint needs one. */
  onUser?: (userId: string) => void;
}

interface HandlerDependencies extends ForwardDependencies {
  /** Limits concurrent password hashing. */
  limitHashing: ConcurrencyLimit;
  throttle: Throttle;
  resolveUser: ResolveUser;
  /** Returns the user of the pending two-factor sign-in, or null. */
  findPendingSignIn: (headers: Headers) => ReturnType<UserLookup["pendingSignIn"]>;
}

/**
 * Creates the handler around better-auth. It checks limits and credentials first, and turns errors into problem
 * documents. better-auth receives exactly the input that was checked, under the path that was matched.
 */
export function createHandler(platform: IdentityPlatform, ports: Omit<HandlerDependencies, "limitHashing">) {
  const dependencies: HandlerDependencies = {
    ...ports,
    limitHashing: createConcurrencyLimit(maxConcurrentHashes),
  };
  return async function handle(request: Request, origin: RequestOrigin): Promise<Response> {
    try {
      return await dependencies.storage.request(request.headers, () =>
        handleRequest(platform, dependencies, request, origin),
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
      const isWrongMethod = problem.code === "METHOD_NOT_ALLOWED";
      const headers: Record<string, string> = isWrongMethod ? { allow: allowOf(request) } : {};
      return problemResponse(problem, requestId, headers);
    }
  };
}

async function handleRequest(
  platform: IdentityPlatform,
  dependencies: HandlerDependencies,
  request: Request,
  origin: RequestOrigin,
): Promise<Response> {
  const checked = await checkRequest(platform, dependencies, request, origin);
  const { body } = checked;
  const { path } = checked.route;
  if (isMailPath(path, platform.settings)) return answerMailRequest(platform, dependencies, checked, path);
  if (path === "/update-user" && body["name"] === undefined && body["image"] === undefined) {
    assertContract(path, body);
    // better-auth refuses a change without fields.
    return Response.json({ status: true });
  }
  return answerWithBetterAuth(platform, dependencies, checked, origin);
}

/** A request whose input, origin and credential are checked. */
interface CheckedRequest {
  route: Route;
  headers: Headers;
  body: Body;
  query: URLSearchParams;
  users: UserLookup;
  /** The change of address that its link confirms. */
  change: AddressChange | null;
  /** The account whose address its link verifies. */
  verified: UnverifiedAccount | null;
}

async function checkRequest(
  platform: IdentityPlatform,
  { throttle, resolveUser, findPendingSignIn }: HandlerDependencies,
  request: Request,
  origin: RequestOrigin,
): Promise<CheckedRequest> {
  const route = findRoute(request);
  const { path, endpoint } = route;
  origin.onRoute?.(`${basePath}${path}`);
  const bytes = await readBytes(request, origin, route);
  await origin.countRequest?.();
  await throttle.countAddress(endpoint, origin.address);
  const headers = await sanitizeHeaders(request.headers, resolveUser, route);
  // better-auth checks it, too, but only after the origin and the input.
  if (!isPublic(route)) {
    const user = await resolveUser(headers);
    if (user === null) throw new Problem("UNAUTHENTICATED");
    origin.onUser?.(user.userId);
  }
  assertTrustedOrigin(platform, headers, route);
  const body = readBody(bytes);
  const query = new URL(request.url).searchParams;
  checkQuery(path, query);
  encodeRedirects(body, query);
  assertSafeRedirects(platform, route, body, query);
  assertKeyOfUser(platform, body);

  const users: UserLookup = {
    caller: () => resolveUser(headers),
    pendingSignIn: () => findPendingSignIn(headers),
    hasSecondFactor: (userId) => hasSecondFactor(platform.db, userId),
  };
  const link = path === "/verify-email" ? (query.get("token") ?? "") : null;
  const change = link === null ? null : await findAddressChange(platform, link, users);
  const verified = link !== null && change === null ? await findUnverifiedAccount(platform, link) : null;
  assertPasswordLength(route, body);
  const isSignUp = path === "/sign-up/email";
  if (isSignUp || isMailPath(path, platform.settings)) assertContract(path, body);
  if (isSignUp) await assertMaySignUp(platform, body);
  // better-auth takes no null here.
  if (isSignUp && body["image"] === null) delete body["image"];
  return { route, headers, body, query, users, change, verified };
}

/** Answers a request for a mail, and has a job look the address up. */
async function answerMailRequest(
  platform: IdentityPlatform,
  { storage, limitHashing, throttle }: HandlerDependencies,
  { route, body, users }: CheckedRequest,
  path: MailPath,
): Promise<Response> {
  await throttle.countMail(route, body);
  const { mail, answer } = await readAccountMail(path, body, {
    caller: () => users.caller(),
    hashPassword: () => limitHashing("", () => hashAhead(route.endpoint, body)),
    findPasswordHash: (userId) => findPasswordHash(platform.db, userId),
  });
  await storage.transact((transaction) =>
    platform.outbox.enqueue(transaction, identityJobs.accountMail, mail),
  );
  return Response.json(answer);
}

/** Has better-auth answer a request, and counts the attempt if the request checks a secret. */
async function answerWithBetterAuth(
  platform: IdentityPlatform,
  dependencies: HandlerDependencies,
  { route, headers, body, query, users, change, verified }: CheckedRequest,
  origin: RequestOrigin,
): Promise<Response> {
  const { throttle, limitHashing } = dependencies;
  const { path, method, endpoint } = route;
  const account = await findAttemptedAccount(endpoint, body, users);
  assertContract(path, body);
  const attempt = account && (await throttle.begin(account));

  restrictCookies(headers, cookieNames(platform.settings, account));
  headers.set(addressHeader, origin.address);
  headers.set("content-type", "application/json");
  const url = `${platform.settings.baseUrl}${basePath}${path}${query.size > 0 ? `?${query.toString()}` : ""}`;
  const content = method === "POST" ? JSON.stringify(body) : null;
  const request = new Request(url, { method, headers, body: content });
  const notified = await findNotifiedAccount(endpoint, users, { change, verified });
  const locked = account === null ? (notified?.userId ?? null) : account.userId;
  const forward = () =>
    forwardChecked(platform, dependencies, { endpoint, body, account, locked, change, notified, request });
  let result: AuthResult | null = null;
  try {
    result = endpoint.sets || endpoint.account ? await limitHashing("", forward) : await forward();
  } finally {
    await attempt?.settle(throttle.outcome(result?.refusal ?? null));
  }
  const { response, refusal } = result;
  if (refusal === null) {
    // better-auth sends it with each renewal of the cookie, too, whose value scripts of a page must not see.
    if (!opensSession(route)) response.headers.delete("set-auth-token");
    if (path === "/get-session") await keepCookie(response);
    return response;
  }
  if (response.status >= 500) {
    const { code } = refusal;
    const cause = Object.assign(new Error("better-auth failed"), { code, status: response.status });
    throw new Problem("INTERNAL", { cause });
  }
  return refusalResponse(refusal, response, origin.requestId);
}

/**
 * Has a browser keep its cookie where there is no session. Another tab may just have replaced the session, and this response would
 * delete the new cookie. A dead one does no harm.
 */
async function keepCookie(response: Response): Promise<void> {
  if ((await response.clone().json()) === null) response.headers.delete("set-cookie");
}

/** Finds the account that a link, or a request with an effect beyond its session, changes. Null without one. */
async function findNotifiedAccount(
  { notifies, outlives }: Route["endpoint"],
  users: UserLookup,
  { change, verified }: Pick<CheckedRequest, "change" | "verified">,
): Promise<NotifiedAccount | null> {
  if (change !== null) return { userId: change.userId, proves: change.to };
  if (verified !== null) return { userId: verified.userId, proves: verified.email };
  const caller = notifies || outlives ? await users.caller() : null;
  return caller && { userId: caller.userId, proves: null };
}

/** Reads the body of a POST. Throws PAYLOAD_TOO_LARGE and UNSUPPORTED_MEDIA_TYPE. */
async function readBytes(
  request: Request,
  { readBody: read = async () => new Uint8Array(await request.arrayBuffer()) }: RequestOrigin,
  { method }: Route,
): Promise<Uint8Array> {
  const bytes = method === "POST" ? await read() : new Uint8Array();
  if (bytes.byteLength > 0) assertJson(request.headers);
  return bytes;
}

/** Returns the cookies that better-auth may see: none of another account than the one that the attempt counts against. */
function cookieNames(settings: IdentityPlatform["settings"], account: AttemptedAccount | null): string[] {
  const hidden = { email: null, caller: "two_factor", challenge: "session_token" } as const;
  const without = account && hidden[account.namedBy];
  return cookies.filter((name) => name !== without).map((name) => cookieName(settings, name));
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
