import { Problem } from "@purser/core";
import type { Mail } from "@purser/platform/mail";
import type { Settings } from "@purser/platform/settings";
import { type Tracer, type UserCaller, userOf } from "@purser/platform";
import { type TestPurser, createTestPurser } from "@purser/testing";
import type { Auth } from "../auth.ts";
import { stopProcessTime } from "./process-time.ts";
import { totp } from "./totp.ts";

export const password = "correct horse battery";

/** A response of /api/auth. */
export interface Reply {
  status: number;
  headers: Headers;
  // Untyped: each test states what it expects.
  body: { [field: string]: unknown };
}

/** A client with a cookie jar that sends our own origin, like a browser on our pages. */
export interface TestClient {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  send(request: Request): Promise<Reply>;
  /** The Cookie header that this client sends. */
  cookie(): string;
}

export interface TestAuth {
  purser: TestPurser;
  auth: Auth;
  client(address?: string): TestClient;
  /** Returns the user of these credentials, or null without any. */
  userOf(headers: Headers): Promise<UserCaller | null>;
  /** Signs a user up, enables the second factor, and moves the clock to the next code. */
  signUpWithSecondFactor(email: string): Promise<SecondFactorUser>;
  /** Signs a user up with this address and the test password. Returns their client and bearer token. */
  signUp(email: string, client?: TestClient): Promise<{ client: TestClient; bearer: string; userId: string }>;
  /** Delivers the mails in the outbox and returns them. */
  mails(): Promise<Mail[]>;
  /** Signs a user up and opens the link of the verification mail. */
  signUpVerified(email: string): Promise<{ client: TestClient; bearer: string; userId: string }>;
}

export interface SecondFactorUser {
  client: TestClient;
  bearer: string;
  userId: string;
  /** The address that the authenticator app scans. */
  uri: string;
  backupCodes: string[];
}

export const base = "http://localhost:3000";
let addresses = 0;

export async function createTestAuth(
  settings: Partial<Settings> = {},
  {
    databaseAheadMs = 0,
    ...options
  }: {
    tracer?: Tracer;
    lockTimeoutMs?: number;
    /** How far the database's clock, which is the platform's, is ahead of the process's. Default: 0. */
    databaseAheadMs?: number;
  } = {},
): Promise<TestAuth> {
  const { clock: processClock, release } = stopProcessTime();
  const clock = { ...processClock, now: () => new Date(Date.now() + databaseAheadMs) };
  const opened = await createTestPurser({ settings, clock, ...options });
  const purser: TestPurser = { ...opened, close: () => opened.close().finally(release) };
  const { auth } = purser;

  const test: TestAuth = {
    purser,
    auth,
    client(address = `10.0.${Math.floor(addresses / 250)}.${++addresses % 250}`) {
      return testClient(auth, address);
    },
    async userOf(headers) {
      const caller = await auth.resolveCaller(headers);
      return caller && userOf(caller);
    },
    async signUp(email, client = test.client()) {
      const reply = await client.post("/sign-up/email", { email, password, name: "Sam" });
      if (reply.status !== 200) throw new Problem("INTERNAL", { detail: JSON.stringify(reply.body) });
      const { id } = reply.body["user"] as { id: string };
      return { client, bearer: reply.headers.get("set-auth-token") ?? "", userId: id };
    },
    async signUpWithSecondFactor(email) {
      const person = await test.signUp(email);
      const { client } = person;
      const enabled = await client.post("/two-factor/enable", { password });
      const uri = String(enabled.body["totpURI"]);
      const verified = await client.post("/two-factor/verify-totp", { code: totp(uri) });
      if (verified.status !== 200) throw new Problem("INTERNAL", { detail: JSON.stringify(verified.body) });
      // A code works once.
      clock.advance(30_000);
      return { ...person, uri, backupCodes: enabled.body["backupCodes"] as string[] };
    },
    async mails() {
      await purser.drain();
      return purser.mails.splice(0);
    },
    async signUpVerified(email) {
      await test.mails();
      const person = await test.signUp(email);
      const [mail] = await test.mails();
      const reply = await person.client.get(`/verify-email?token=${tokenIn(mail)}`);
      if (reply.status !== 200) throw new Problem("INTERNAL", { detail: JSON.stringify(reply.body) });
      return person;
    },
  };
  return test;
}

/** Returns the token from the link in a mail. */
export function tokenIn(mail: Mail | undefined): string {
  return /[?&]token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

/** Returns a client of this service. The test's own clients use one service; another one acts as a second process. */
export function testClient(auth: Auth, address: string): TestClient {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  async function send(request: Request): Promise<Reply> {
    const response = await auth.handle(request, { address, requestId: "req_test" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  }

  const headersOf = (extra: Record<string, string> | undefined) => {
    const headers = new Headers(extra);
    if (jar.size > 0 && !headers.has("cookie")) headers.set("cookie", cookie());
    if (!headers.has("origin")) headers.set("origin", base);
    return headers;
  };

  return {
    send,
    cookie,
    get: (path, headers) => send(new Request(`${base}/api/auth${path}`, { headers: headersOf(headers) })),
    post(path, body = {}, extra) {
      const headers = headersOf(extra);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return send(new Request(`${base}/api/auth${path}`, { method: "POST", headers, body: text }));
    },
  };
}
