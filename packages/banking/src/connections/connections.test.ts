import { hour } from "@purser/core/testing";
import { type Person, type TestPurser, createTestPurser, outcomeOf, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let member: Person;
let teamId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  [owner, member] = [await purser.person(), await purser.person()];
  teamId = await purser.organization(owner, { members: [member] });
});
afterAll(() => purser.close());

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const connect = (consentId: string, organizationId = teamId) =>
  purser.as(owner).banking.connections.connect({ teamId: organizationId, ...bank, consentId });

describe("banking.connections.list", () => {
  it("lists a team's connections to its members, newest first, with exactly the documented fields", async () => {
    const made = [];
    for (const consentId of ["one", "two", "three"]) {
      made.unshift(await connect(consentId));
      purser.clock.advance(hour);
    }
    expect(await purser.as(owner).banking.connections.list({ teamId })).toEqual(made);
    expect(await purser.as(member).banking.connections.list({ teamId })).toEqual(made);
    expect(made[0]).toEqual({
      id: expect.stringMatching(/^bcn_/),
      teamId,
      ...bank,
      status: "ACTIVE",
      consents: [
        {
          id: "three",
          status: "AUTHORIZED",
          scopes: ["accounts", "balances", "transactions"],
          expiresAt: expect.any(Date),
          revokedAt: null,
        },
      ],
    });
  });

  it("returns pages", async () => {
    const { list } = purser.as(member).banking.connections;
    const ids = (await list({ teamId })).map(({ id }) => id);
    const first = await list({ teamId, limit: 2 });
    expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await list({ teamId, limit: 2, after: ids[1]! });
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(await list({ teamId, after: ids.at(-1)! })).toEqual([]);
  });

  it("has the same pages in banking.connections.health", async () => {
    const { list, health } = purser.as(member).banking.connections;
    const ids = (await list({ teamId })).map(({ id }) => id);
    const pages = [await health({ teamId, limit: 2 }), await health({ teamId, limit: 2, after: ids[1]! })];
    expect(pages.map((page) => page.map(({ connectionId }) => connectionId))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ]);
    expect(await refusalOf(health({ teamId, after: purser.unknownId("bcn") }))).toBe("VALIDATION_FAILED");
  });

  it.each([
    { limit: 0 },
    { limit: 1001 },
    { limit: 1.5 },
    { after: "bcn_1" },
    { after: "" },
    { provider: "x" },
  ])("refuses %j", async (input) => {
    const list = purser.as(member).banking.connections.list({ teamId, ...input });
    expect(await refusalOf(list)).toBe("VALIDATION_FAILED");
  });

  it("shows nothing of another team", async () => {
    const other = await purser.organization(owner);
    expect(await purser.as(owner).banking.connections.list({ teamId: other })).toEqual([]);
    const theirs = await connect("one", other);
    const mine = await purser.as(owner).banking.connections.list({ teamId });
    expect(mine.map(({ id }) => id)).not.toContain(theirs.id);
  });
});

describe("a member of a team with a bank", () => {
  it("may read and sync, but neither connect nor disconnect", async () => {
    const { banking } = purser.as(member);
    const [connection] = await banking.connections.list({ teamId });
    const connectionId = connection!.id;
    expect(await banking.connections.sync({ teamId, connectionId })).toMatchObject({ id: connectionId });
    const [account] = await banking.accounts.list({ teamId, connectionId });
    expect(await banking.accounts.get({ teamId, accountId: account!.id })).toMatchObject({ id: account!.id });
    expect((await banking.transactions.list({ teamId, connectionId })).length).toBeGreaterThan(0);
    expect((await banking.syncs.list({ teamId, connectionId })).length).toBeGreaterThan(0);
    const expiresAt = new Date(purser.clock.now().getTime() + hour);
    const attempts = [
      banking.connections.connect({ teamId, ...bank, consentId: "four" }),
      banking.connections.disconnect({ teamId, connectionId }),
      banking.connections.updateConsent({ teamId, connectionId, scopes: ["accounts"], expiresAt }),
      banking.link.create({ teamId, ...bank }),
    ];
    const codes = await Promise.all(attempts.map((call) => refusalOf(call)));
    expect(new Set(codes)).toEqual(new Set(["FORBIDDEN"]));
  });

  it("loses access immediately when removed, as does a demoted owner", async () => {
    const other = await purser.person();
    const second = await purser.person();
    const organizationId = await purser.organization(owner, { owners: [second], members: [other] });
    const { id: connectionId } = await connect("ada", organizationId);
    const { members } = purser.as(owner).organizations;
    const list = await members.list({ organizationId });
    const membershipOf = ({ userId }: Person) => list.find((one) => one.userId === userId)!.id;
    const { banking } = purser.as(other);
    await banking.connections.list({ teamId: organizationId });
    await members.remove({ membershipId: membershipOf(other) });
    const attempts = [
      banking.connections.list({ teamId: organizationId }),
      banking.connections.sync({ teamId: organizationId, connectionId }),
      banking.accounts.list({ teamId: organizationId }),
      banking.transactions.list({ teamId: organizationId }),
      banking.syncs.list({ teamId: organizationId }),
    ];
    const codes = await Promise.all(attempts.map((call) => refusalOf(call)));
    expect(new Set(codes)).toEqual(new Set(["ORGANIZATION_NOT_FOUND"]));
    await members.updateRole({ id: membershipOf(second), role: "MEMBER" });
    const end = purser.as(second).banking.connections.disconnect({ teamId: organizationId, connectionId });
    expect(await refusalOf(end)).toBe("FORBIDDEN");
  });
});

describe("an organization with a bank connection", () => {
  it("cannot be deleted while a connection is active, even with an expired consent, but can be afterwards", async () => {
    const id = await purser.organization(owner);
    const connections = [await connect("ada", id), await connect("bob", id)];
    const { delete: remove } = purser.as(owner).organizations;
    await expect(remove({ id })).rejects.toThrow(/bank connection/);
    expect(await refusalOf(remove({ id }))).toBe("ORGANIZATION_IN_USE");
    const { disconnect } = purser.as(owner).banking.connections;
    await disconnect({ teamId: id, connectionId: connections[0]!.id });
    purser.clock.advance(100 * 24 * hour);
    expect(await refusalOf(remove({ id }))).toBe("ORGANIZATION_IN_USE");
    await disconnect({ teamId: id, connectionId: connections[1]!.id });
    await remove({ id });
    expect(await refusalOf(purser.as(owner).banking.connections.list({ teamId: id }))).toBe(
      "ORGANIZATION_NOT_FOUND",
    );
    await purser.drain();
  });

  it("is never both deleted and connected, even in a race", async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await purser.organization(owner);
      const [connected, deleted] = await Promise.all([
        outcomeOf(connect("ada", id)),
        outcomeOf(purser.as(owner).organizations.delete({ id })),
      ]);
      expect([
        ["ok", "ORGANIZATION_IN_USE"],
        ["ORGANIZATION_NOT_FOUND", "ok"],
      ]).toContainEqual([connected, deleted]);
    }
  });
});
