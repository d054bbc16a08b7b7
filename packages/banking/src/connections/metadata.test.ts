import { bankConnections } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let teamId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
});

const banking = () => purser.as(owner).banking;
const connect = (consentId = "ada", more: object = {}) =>
  banking().connections.connect({
    teamId,
    provider: "sandbox",
    providerId: "sprout-bank",
    consentId,
    ...more,
  });

describe("metadata of a connection", () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
  const nested = (levels: number): object => (levels === 1 ? { end: 1 } : { next: nested(levels - 1) });
  // {"t":"…"} adds eight bytes to its text.
  const bytes = (count: number) => ({ t: "x".repeat(count - 8) });

  it.each([
    ["nothing", {}],
    ["50 keys", keys(50)],
    ["5 levels", nested(5)],
    ["16 kB", bytes(16_384)],
    ["a key that every JavaScript object has", JSON.parse('{"constructor":{"toString":1}}') as object],
    ["every JSON type", { a: [1, -2.5, "é", true, null, { b: [] }] }],
  ])("may be %s, and is stored unchanged", async (_what, metadata) => {
    const { id } = await connect("ada", { metadata });
    const [row] = await purser.db.select().from(bankConnections).where(eq(bankConnections.id, id));
    expect(row?.metadata).toEqual(metadata);
  });

  it.each([
    ["51 keys", keys(51)],
    ["51 keys in all", { a: keys(25), b: keys(24) }],
    ["6 levels", nested(6)],
    ["6 levels of lists", { a: [[[[[]]]]] }],
    ["more than 16 kB", bytes(16_385)],
    ["more than 16 kB of UTF-8", { t: "é".repeat(8_190) }],
    ["U+0000", { a: "b\0" }],
    ["U+0000 in a key", { nested: { "a\0": 1 } }],
    ["half of a character", { a: ["\ud800"] }],
    ["what is no JSON", { a: Number.NaN }],
    ["a list", []],
    ["a text", "text"],
    ["null", null],
    ["a key that is too long", { ["k".repeat(256)]: 1 }],
  ])("may not be %s", async (_what, metadata) => {
    expect(await refusalOf(connect("ada", { metadata }))).toBe("VALIDATION_FAILED");
  });

  it("is replaced only when the connection is activated again with other metadata", async () => {
    const { id } = await connect("ada", { metadata: { branch: "North" } });
    const stored = async () =>
      (await purser.db.select().from(bankConnections).where(eq(bankConnections.id, id)))[0]?.metadata;
    await banking().connections.disconnect({ teamId, connectionId: id });
    await connect("ada");
    expect(await stored()).toEqual({ branch: "North" });
    await banking().connections.disconnect({ teamId, connectionId: id });
    await connect("ada", { metadata: { branch: "South" } });
    expect(await stored()).toEqual({ branch: "South" });
  });
});
