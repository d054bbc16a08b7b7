import { bankAccountSources, bankConnections, bankConsents, bankSyncs } from "@purser/db";
import { and, asc, eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  gate,
  holdAfterPage,
  log,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

const amounts = async () => (await team.rows()).map(({ amount }) => amount);

async function outcomes(): Promise<string[]> {
  const ofTeam = eq(bankSyncs.organizationId, team.teamId);
  const syncs = await team.purser.db.select().from(bankSyncs).where(ofTeam).orderBy(asc(bankSyncs.id));
  return syncs.map(({ status, errorCode }) => errorCode ?? status);
}

async function connection() {
  const { db } = team.purser;
  const [row] = await db.select().from(bankConnections).where(eq(bankConnections.id, team.connectionId));
  return row!;
}

async function consents() {
  const { db } = team.purser;
  const these = eq(bankConsents.connectionId, team.connectionId);
  return db.select().from(bankConsents).where(these).orderBy(asc(bankConsents.id));
}

/** Blocked reads have ended: from now on, the script returns something else. */
const say = (feed: object) => Object.assign(team.script, feed);

describe("a consent that is renewed during a sync", () => {
  it("is not overwritten by data that was read under the earlier one", async () => {
    await team.begin();
    const { arrived, open } = holdAfterPage(
      team.script,
      { added: [payment({ amount: 1 })] },
      { cursor: "of the first" },
    );
    const first = team.sync();
    await arrived;
    team.purser.clock.advance(1000);
    const second = log([{ added: [payment({ accountId: "renamed", amount: 2 })], cursor: "of the second" }]);
    const accounts = async () => [bankAccount({ externalId: "renamed" })];
    say({ accounts });
    await team.renew("second");
    open();
    say(second);
    expect(await first).toBe("UNAVAILABLE");
    await team.purser.drain();
    expect(await outcomes()).toEqual(["INTERRUPTED", "SUCCEEDED"]);
    expect(second.requests).toEqual([null]);
    expect(await amounts()).toEqual([2]);
    expect(await connection()).toMatchObject({ cursor: "of the second", failures: 0 });
    expect(await team.accounts()).toHaveLength(1);
  });

  it("does not end when the earlier one ends", async () => {
    await team.begin();
    await team.purser.drain();
    const { arrived, pass, open } = gate();
    say({
      async consentStatus() {
        await pass();
        return { status: "revoked" };
      },
    });
    const first = team.sync();
    await arrived;
    team.purser.clock.advance(1000);
    await team.renew("second");
    say({ consentStatus: async () => ({ status: "authorized", expiresAt: null }) });
    open();
    expect(await first).toBe("REAUTHORIZATION_REQUIRED");
    expect(await connection()).toMatchObject({ needsReauthorization: null });
    expect((await connection()).nextSyncAt).not.toBeNull();
    const second = (await consents()).find(({ id }) => id === "second");
    expect(second).toMatchObject({ status: "AUTHORIZED", revokedAt: null });
    await team.purser.drain();
    expect((await outcomes()).at(-1)).toBe("SUCCEEDED");
  });

  it("stays limited as the team sets it meanwhile", async () => {
    const bankEnd = new Date("2026-12-31T00:00:00Z");
    const teamEnd = new Date("2026-06-01T00:00:00Z");
    const consentStatus = async () => ({ status: "authorized" as const, expiresAt: bankEnd });
    await team.begin({ granted: ["accounts", "transactions"], consentStatus });
    await team.purser.drain();
    await team.purser.db
      .update(bankConsents)
      .set({ grantedUntil: bankEnd, expiresAt: bankEnd })
      .where(eq(bankConsents.connectionId, team.connectionId));
    const { arrived, open } = holdAfterPage(team.script, {});
    const running = team.sync();
    await arrived;
    const { teamId, connectionId } = team;
    const change = { teamId, connectionId, scopes: ["accounts"], expiresAt: teamEnd };
    await team.purser.as(team.owner).banking.connections.updateConsent(change);
    open();
    expect(await running).toBe("ok");
    expect(await consents()).toMatchObject([{ expiresAt: teamEnd, grantedUntil: bankEnd }]);
  });
});

describe("a consent that a person confirms during a sync", () => {
  it("keeps the date of its next confirmation", async () => {
    const confirmBy = (date: string) => async () =>
      ({ status: "authorized", expiresAt: null, reconfirmBy: new Date(date) }) as const;
    await team.begin({ consentStatus: confirmBy("2026-03-20"), reconfirm: confirmBy("2026-06-18") });
    await team.sync();
    const { arrived, open } = holdAfterPage(team.script, {});
    const running = team.sync();
    await arrived;
    const { teamId, connectionId } = team;
    await team.purser.as(team.owner).banking.connections.reconfirm({ teamId, connectionId });
    open();
    expect(await running).toBe("ok");
    expect(await consents()).toMatchObject([{ reconfirmBy: new Date("2026-06-18") }]);
  });
});

describe("an account that a newer connection takes over", () => {
  const renamed = async () => [bankAccount({ externalId: "renamed" })];
  const current = () =>
    team.purser.db
      .select({ connectionId: bankAccountSources.connectionId })
      .from(bankAccountSources)
      .where(
        and(eq(bankAccountSources.organizationId, team.teamId), isNull(bankAccountSources.supersededAt)),
      );

  it("is not written to by a concurrent sync of the older connection", async () => {
    await team.begin(log([{ added: [payment()] }]));
    await team.purser.drain();
    const before = await team.rows();
    const { arrived, open } = holdAfterPage(team.script, {
      added: [payment({ externalId: "t2", amount: 700 })],
    });
    const older = team.sync();
    await arrived;
    const transactions = ["n1", "n2"].map((externalId, index) =>
      payment({ accountId: "renamed", externalId, amount: [500, 700][index]! }),
    );
    say({ accounts: renamed });
    const second = await team.connect("second");
    say(log([{ added: transactions }]));
    expect(await team.sync(second)).toBe("ok");
    open();
    expect(await older).toBe("ok");
    expect(await amounts()).toEqual([500, 700]);
    expect((await team.rows())[0]!.id).toBe(before[0]!.id);
    expect(await team.accounts()).toMatchObject([{ connectionId: second, transactionCount: 2 }]);
  });

  it("is counted once and without a deadlock if both connections sync concurrently", async () => {
    // Each consent has its own ids for the account and its transactions, and reads all of them.
    await team.begin({
      accounts: async ({ consentId }) => [bankAccount({ externalId: consentId })],
      async changes({ consentId }) {
        const added = [payment({ accountId: consentId, externalId: `of-${consentId}` })];
        return { added, modified: [], removed: [], cursor: "c", hasMore: false };
      },
    });
    await team.purser.drain();
    const [before] = await team.rows();
    for (let round = 0; round < 4; round += 1) {
      team.purser.clock.advance(1000);
      const newest = await team.connect(`consent-${round}`);
      const ended = await Promise.all([team.sync(), team.sync(newest), team.sync(), team.sync(newest)]);
      expect(ended).toEqual(["ok", "ok", "ok", "ok"]);
      expect(await current()).toEqual([{ connectionId: newest }]);
      expect((await team.rows()).map(({ id }) => id)).toEqual([before!.id]);
      expect(await team.accounts()).toMatchObject([{ transactionCount: 1 }]);
      Object.assign(team, { connectionId: newest });
    }
  });

  it("returns to the older connection when the newer one ends, with all missed transactions", async () => {
    await team.begin(log([{ added: [payment()] }]));
    await team.purser.drain();
    const before = await team.rows();
    say({ ...log([{ added: [payment({ accountId: "renamed", externalId: "n1" })] }]), accounts: renamed });
    const second = await team.connect("second");
    expect(await team.sync(second)).toBe("ok");
    const accounts = async () => [bankAccount({ balance: 42 })];
    say({ ...log([{ added: [payment({ externalId: "unseen", amount: 9 })], cursor: "far" }]), accounts });
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([500]);
    const { teamId } = team;
    await team.purser.as(team.owner).banking.connections.disconnect({ teamId, connectionId: second });
    const all = log([{ added: [payment(), payment({ externalId: "unseen", amount: 9 })] }]);
    say({ ...all, accounts });
    expect(await team.sync()).toBe("ok");
    expect(all.requests).toEqual([null]);
    expect(await amounts()).toEqual([500, 9]);
    expect((await team.rows())[0]!.id).toBe(before[0]!.id);
    expect(await team.accounts()).toMatchObject([{ connectionId: team.connectionId, balance: 42 }]);
  });
});
