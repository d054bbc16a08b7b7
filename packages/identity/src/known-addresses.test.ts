import {
  type RecordedWork,
  isNightly,
  mannWhitneyDeviation,
  rankTestSampleSize,
  rankTestThreshold,
  recordWork,
} from "@purser/testing";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertUser } from "./store/users.ts";
import { type Reply, type TestAuth, type TestClient, createTestAuth, password } from "./testing/client.ts";
import { exposures } from "./testing/exposures.ts";

const recorder = recordWork();
let test: TestAuth;
let asker: TestClient;
beforeAll(async () => {
  test = await createTestAuth({ confirmSignUp: true }, { tracer: recorder.tracer });
  const { platform } = test.purser;
  await test.auth.createUser({ email: "asker@example.com", name: "Sam", password, emailVerified: true });
  asker = test.client();
  await asker.post("/sign-in/email", { email: "asker@example.com", password });
  expect(platform.settings.signUp).toBe("open");
});
afterAll(() => {
  recorder.stop();
  return test.purser.close();
});

/** The requests that take the address of another person. */
const requests: Record<string, (email: string) => { client?: TestClient; body: object }> = {
  "/sign-up/email": (email) => ({ body: { email, password: "another password", name: "Sam" } }),
  "/sign-in/email": (email) => ({ body: { email, password: "not the password" } }),
  "/send-verification-email": (email) => ({ body: { email } }),
  "/request-password-reset": (email) => ({ body: { email } }),
  "/change-email": (newEmail) => ({ client: asker, body: { newEmail } }),
};

/** The kinds of addresses that a response must not distinguish. */
const kinds = {
  unknown: null,
  unverified: { emailVerified: false, password },
  verified: { emailVerified: true, password },
  "without a password": { emailVerified: true },
} as const;

let addresses = 0;

/** Returns an address of this kind that no request has named yet. */
async function addressOf(kind: keyof typeof kinds): Promise<string> {
  addresses += 1;
  const email = `address-${addresses}@example.com`;
  const user = kinds[kind];
  if (user !== null) await test.auth.createUser({ email, name: "Sam", ...user });
  return email;
}

async function observe(path: string, email: string): Promise<{ reply: object; work: RecordedWork }> {
  const { client = test.client(), body } = requests[path]!(email);
  return observeReply(() => client.post(path, body));
}

async function observeReply(send: () => Promise<Reply>): Promise<{ reply: object; work: RecordedWork }> {
  let reply = {};
  const work = await recorder.measure(async () => {
    const { status, headers, body: answer } = await send();
    reply = { status, headers: [...headers].filter(([name]) => name !== "date"), answer };
  });
  return { reply, work };
}

/** A link as in a mail to this address, with a signature that is not ours. */
function forgedLink(email: string): string {
  const parts = [{ alg: "HS256" }, { email, userId: "user_1" }];
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return `/verify-email?token=${encoded.join(".")}.forged`;
}

describe("an endpoint that takes an address", () => {
  it("is listed here", () => {
    const listed = Object.keys(exposures).filter((path) => exposures[path] === "an address");
    expect(Object.keys(requests).toSorted()).toEqual([...listed, "/sign-in/email"].toSorted());
  });

  it.each(Object.keys(requests))(
    "answers the same at %s for every kind of address, after the same work",
    async (path) => {
      // The first request prepares statements on its connection.
      await observe(path, await addressOf("unknown"));
      const unknown = await observe(path, await addressOf("unknown"));
      expect(unknown.work.statements.length).toBeGreaterThan(1);
      for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
        expect([kind, await observe(path, await addressOf(kind))]).toEqual([kind, unknown]);
      }
      // The recorder sees hashes.
      expect(unknown.work.hashes).toBe(/sign-(in|up)/.test(path) ? 1 : 0);
    },
  );

  it.each(["", "&callbackURL=/welcome"])(
    "answers the same to a forged link for every kind of address, after the same work, with the query %j",
    async (more) => {
      const open = (email: string) => observeReply(() => test.client().get(forgedLink(email) + more));
      await open(await addressOf("unknown"));
      const unknown = await open(await addressOf("unknown"));
      for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
        expect([kind, await open(await addressOf(kind))]).toEqual([kind, unknown]);
    },
  );

  it.each(Object.keys(requests))("limits %s for every kind of address alike", async (path) => {
    const limits = new Map<string, number[]>();
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const email = await addressOf(kind);
      const { client, body } = requests[path]!(email);
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 12; attempt += 1)
        statuses.push((await (client ?? test.client()).post(path, body)).status);
      limits.set(kind, statuses);
    }
    const [first, ...others] = limits.values();
    expect(first?.slice(10)).toEqual([429, 429]);
    for (const other of others) expect(other).toEqual(first);
  });
});

describe.runIf(isNightly)("the time of an answer", () => {
  /** The kind that differs most from an unknown address, by the work that a naive endpoint would do. */
  const known = { "/send-verification-email": "unverified" } as const;

  /** Creates users of this kind, with one password hash for all, and returns their addresses. */
  async function addressesOf(kind: "verified" | "unverified", count: number): Promise<string[]> {
    const passwordHash = await hashPassword(password);
    const now = test.purser.clock.now();
    return Promise.all(
      Array.from({ length: count }, async () => {
        addresses += 1;
        const email = `address-${addresses}@example.com`;
        const user = {
          email,
          name: "Sam",
          passwordHash,
          emailVerified: kind === "verified",
          role: "user",
        } as const;
        await insertUser(test.purser.db, user, now);
        return email;
      }),
    );
  }

  async function timeOf(run: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await run();
    return performance.now() - start;
  }

  /** Times both kinds of requests in turn, each pair in either order, and returns the deviation between them. */
  async function deviation(
    unknown: () => Promise<unknown>,
    other: (email: string) => Promise<unknown>,
    emails: string[],
  ) {
    const times: [number[], number[]] = [[], []];
    for (const [pair, email] of emails.entries()) {
      const inUnknown = async () => void times[0].push(await timeOf(unknown));
      const inOther = async () => void times[1].push(await timeOf(() => other(email)));
      for (const run of pair % 2 === 0 ? [inUnknown, inOther] : [inOther, inUnknown]) await run();
    }
    return Math.abs(mannWhitneyDeviation(...times));
  }

  const request = (path: string, email: string) => {
    const { client = test.client(), body } = requests[path]!(email);
    return client.post(path, body);
  };

  it.each(Object.keys(requests))(
    "is the same at %s for known and unknown addresses",
    { timeout: 600_000 },
    async (path) => {
      const kind = path in known ? known[path as keyof typeof known] : "verified";
      const emails = await addressesOf(kind, rankTestSampleSize);
      const unknown = () => request(path, `unknown-${(addresses += 1)}@example.com`);
      for (let warmUp = 0; warmUp < 20; warmUp += 1) await unknown();
      expect(await deviation(unknown, (email) => request(path, email), emails)).toBeLessThan(
        rankTestThreshold,
      );
    },
  );

  it("would detect the work of one more mail", { timeout: 600_000 }, async () => {
    const path = "/request-password-reset";
    const emails = await addressesOf("verified", rankTestSampleSize);
    const unknown = () => request(path, `unknown-${(addresses += 1)}@example.com`);
    const withMail = async (email: string) => {
      await request(path, email);
      await test.auth.sendAccountMail({ kind: "password-reset", email });
    };
    expect(await deviation(unknown, withMail, emails)).toBeGreaterThan(rankTestThreshold);
  });
});
