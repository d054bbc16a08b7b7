import { memberships, organizationKeys } from "@purser/db";
import type { Caller } from "@purser/platform";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  problemOf,
  refusalOf,
  testSettings,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type StreamReader, readStream } from "../testing/stream-reader.ts";
import { FollowerAccess } from "./access.ts";
import { maxPerCredential } from "./event-streams.ts";

let purser: TestPurser;
let owner: Person;
let organizationId: string;
const over: (() => unknown)[] = [];

beforeAll(async () => {
  // Half of them may be streams.
  const httpLimits = { ...testSettings().httpLimits, maxConnections: 60 };
  purser = await createTestPurser({ settings: { httpLimits } });
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});
afterEach(async () => {
  vi.useRealTimers();
  for (const end of over.splice(0)) await end();
  expect(purser.platform.eventStreams.size).toBe(0);
});

/** Opens a stream and reads it. */
async function follow(input: object = {}, caller: Caller = owner): Promise<StreamReader> {
  const reader = readStream(await purser.as(caller).events.stream({ organizationId, ...input }));
  over.push(reader.stop);
  return reader;
}

const open = async (request: { signal?: AbortSignal } = {}) =>
  (await purser.as(owner, request).events.stream({ organizationId }))[Symbol.asyncIterator]();
const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });

describe("a caller whose access changes", () => {
  let member: Person;
  let membership: { id: string };

  beforeEach(async () => {
    member = await purser.person();
    organizationId = await purser.organization(owner, { members: [member] });
    const members = await purser.as(owner).organizations.members.list({ organizationId });
    membership = members.find(({ userId }) => userId === member.userId)!;
  });

  it("sees nothing after being removed, not even the removal", async () => {
    const { seen, ended, until } = await follow({}, member);
    await rename("One");
    await until(1);
    await purser.as(owner).organizations.members.remove({ membershipId: membership.id });
    expect(await ended).toBe("ORGANIZATION_NOT_FOUND");
    expect(seen).toEqual(["One"]);
  });

  it("sees as an owner what the role allows, and no more after losing it", async () => {
    await purser.as(owner).organizations.members.updateRole({ id: membership.id, role: "OWNER" });
    const { seen, until } = await follow({}, member);
    const invite = (email: string) =>
      purser.as(owner).organizations.invitations.create({ organizationId, email, role: "MEMBER" });
    await invite("one@demo.example");
    await until(1);
    await purser.as(owner).organizations.members.updateRole({ id: membership.id, role: "MEMBER" });
    await invite("two@demo.example");
    await rename("Two");
    await until(3);
    expect(seen).toEqual(["invitation.created", "member.role_updated", "Two"]);
  });

  it("sees nothing with a key that was revoked", async () => {
    const key = await purser.organizationKey(organizationId, "read");
    const { seen, ended, until } = await follow({}, key);
    await rename("One");
    await until(1);
    await purser.db
      .update(organizationKeys)
      .set({ revokedAt: purser.clock.now() })
      .where(eq(organizationKeys.id, key.keyId));
    await rename("Two");
    expect(await ended).toBe("ORGANIZATION_NOT_FOUND");
    expect(seen).toEqual(["One"]);
  });

  it("loses access although nothing happens", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { ended } = await follow({}, member);
    await purser.db.delete(memberships).where(eq(memberships.id, membership.id));
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(await ended).toBe("ORGANIZATION_NOT_FOUND");
  });
});

describe("the access of a caller", () => {
  it("is checked by one look-up at a time while that does not end, as while the database is away", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let begun = 0;
    const schedule = () => {
      begun += 1;
      return new Promise<never>(() => undefined);
    };
    const follower = { organizationId, caller: owner, authenticate: async () => owner };
    const access = new FollowerAccess({ ...purser.platform, schedule }, follower, () => undefined);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    access.close();
    expect(begun).toBe(1);
  });
});

describe("the limits of streams", () => {
  it("allow a caller 20, over all organizations, and count those that are open", async () => {
    const another = await purser.organization(owner);
    const all = Array.from({ length: maxPerCredential }, (_, index) =>
      follow({ organizationId: index % 2 ? another : organizationId }),
    );
    const [first] = await Promise.all(all);
    expect(await refusalOf(open())).toBe("RATE_LIMITED");
    await first!.stop();
    await (
      await open()
    ).return!();
  });

  it("allow the process half of its connections", async () => {
    const others = await Promise.all([purser.person(), purser.person()]);
    organizationId = await purser.organization(owner, { members: others });
    for (const caller of others) for (let count = 0; count < 15; count += 1) await follow({}, caller);
    const error: unknown = await purser
      .as(owner)
      .events.stream({ organizationId })
      .catch((refusal: unknown) => refusal);
    expect(problemOf(error)).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 5 });
  });
});

describe("a service that stops", () => {
  it("ends its streams and opens no more", async () => {
    const stopping = await createTestPurser();
    const person = await stopping.person();
    const id = await stopping.organization(person);
    const openOne = () => stopping.as(person).events.stream({ organizationId: id });
    const next = (await openOne())[Symbol.asyncIterator]().next();
    stopping.platform.eventStreams.drain();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await refusalOf(openOne())).toBe("UNAVAILABLE");
    await stopping.close();
  });
});
