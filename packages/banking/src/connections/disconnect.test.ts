import { day } from "@purser/core/testing";
import { bankConsents, sandboxBankConsents } from "@purser/db";
import { listOutbox } from "@purser/platform/outbox";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import { BankError, type Banks } from "../ports.ts";
import { revocations } from "./service/revoke.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
/** How many revocations find no consent, as with the credentials of another application. */
let unfound: number;

const banks: Banks = {
  configured: ["sandbox"],
  at: async (provider) => {
    const bank = await configuredBanks(purser.platform).at(provider);
    return {
      ...bank,
      revoke: async (access) => {
        if (unfound <= 0) return bank.revoke(access);
        unfound -= 1;
        throw new BankError("consent_not_found", "No such consent");
      },
    };
  },
};

beforeAll(async () => {
  purser = await createTestPurser({ banks });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  unfound = 0;
  teamId = await purser.organization(owner);
  ({ id: connectionId } = await connect());
});

const banking = () => purser.as(owner).banking;
const connect = () =>
  banking().connections.connect({ teamId, provider: "sandbox", providerId: "sprout-bank", consentId: "ada" });
const sync = () => banking().connections.sync({ teamId, connectionId });
const disconnect = () => banking().connections.disconnect({ teamId, connectionId });

/** The status of the consent at the bank. */
async function statusAtBank(): Promise<string | undefined> {
  const [consent] = await purser.db
    .select()
    .from(sandboxBankConsents)
    .where(eq(sandboxBankConsents.organizationId, teamId));
  return consent?.status;
}

async function tokens(): Promise<(string | null)[]> {
  const rows = await purser.db.select().from(bankConsents).where(eq(bankConsents.organizationId, teamId));
  return rows.map(({ token }) => token);
}

/** The team's stored bank data, which stays whatever happens to the consent. */
async function ledger() {
  const accounts = await banking().accounts.list({ teamId });
  const transactions = await banking().transactions.list({ teamId });
  // Only the connection's status changes.
  return { accounts: accounts.map((account) => ({ ...account, connection: null })), transactions };
}

describe("banking.connections.disconnect", () => {
  it("responds with exactly the documented fields, which match the list", async () => {
    const revokedAt = purser.clock.now();
    expect(await disconnect()).toEqual({
      id: connectionId,
      status: "DISCONNECTED",
      consents: [{ id: "ada", status: "REVOKED", revokedAt }],
    });
    expect(await banking().connections.list({ teamId })).toMatchObject([
      { id: connectionId, status: "DISCONNECTED", consents: [{ id: "ada", status: "REVOKED", revokedAt }] },
    ]);
  });

  it("is idempotent: later, concurrently, with and without an idempotency key", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => disconnect()));
    const [first] = answers;
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    purser.clock.advance(day);
    expect(await disconnect()).toEqual(first);
    const keyed = purser.as(owner, { idempotencyKey: "off" }).banking.connections;
    expect(await keyed.disconnect({ teamId, connectionId })).toEqual(first);
    expect(await keyed.disconnect({ teamId, connectionId })).toEqual(first);
    const trail = await purser.as(owner).organizations.audit.list({ id: teamId });
    expect(trail.filter(({ action }) => action === "banking.connections.disconnect")).toHaveLength(1);
  });

  it("erases the token immediately, and revokes the consent at the bank through the outbox", async () => {
    expect(await tokens()).toEqual([expect.stringMatching(/^v1\./)]);
    await disconnect();
    expect(await tokens()).toEqual([null]);
    expect(await statusAtBank()).toBe("AUTHORIZED");
    await purser.drain();
    expect(await statusAtBank()).toBe("REVOKED");
  });

  it("revokes the consent at a bank that needs no token, also if the key is lost that sealed it", async () => {
    await purser.db
      .update(bankConsents)
      .set({ token: sql`regexp_replace(${bankConsents.token}, '^v1[.][^.]+', 'v1.99')` })
      .where(eq(bankConsents.organizationId, teamId));
    expect(await disconnect()).toMatchObject({ status: "DISCONNECTED" });
    await purser.drain();
    expect([await tokens(), await statusAtBank()]).toEqual([[null], "REVOKED"]);
  });

  it("retries the revocation until the bank is back", async () => {
    await purser.as(owner).sandbox.banking.setFault({ teamId, connectionId, fault: "outage", times: 3 });
    expect(await disconnect()).toMatchObject({ status: "DISCONNECTED" });
    await purser.drain();
    expect(await statusAtBank()).toBe("AUTHORIZED");
    await purser.drain({ ahead: true });
    expect(await statusAtBank()).toBe("REVOKED");
  });

  it("retries the revocation if the provider does not find the consent, which other credentials may", async () => {
    unfound = 5;
    await disconnect();
    await purser.drain({ ahead: true });
    expect([unfound, await statusAtBank()]).toEqual([0, "REVOKED"]);
  });

  it("takes a consent for ended that no attempt has found", async () => {
    unfound = 100;
    await disconnect();
    await purser.drain({ ahead: true });
    expect(unfound).toBe(100 - (bankingJobs.revoke.policy.retries + 1));
    expect(await listOutbox(purser.db, { state: "dead", limit: 10 })).toEqual([]);
  });

  it("logs the consent that no attempt has found, with the last one", async () => {
    await disconnect();
    await purser.drain();
    const logged: object[] = [];
    const logger = { ...purser.platform.logger, warn: (fields: object) => void logged.push(fields) };
    const access = { organizationId: teamId, institutionId: "sprout-bank", consentId: "ada", token: "token" };
    const attempt = (last: boolean) =>
      revocations({ ...purser.platform, logger })(
        { provider: "sandbox", access },
        { id: "job", attempt: 1, last },
      );
    unfound = 2;
    await expect(attempt(false)).rejects.toMatchObject({ kind: "consent_not_found" });
    expect(logged).toEqual([]);
    await attempt(true);
    expect(logged).toEqual([{ provider: "sandbox", organizationId: teamId, consentId: "ada" }]);
  });

  it("keeps the stored data, and reads no more", async () => {
    await sync();
    const before = await ledger();
    await disconnect();
    await purser.drain();
    expect(await ledger()).toEqual(before);
    const [account] = await banking().accounts.list({ teamId });
    expect(account!.connection).toEqual({ id: connectionId, provider: "sandbox", status: "DISCONNECTED" });
    expect(await refusalOf(sync())).toBe("CONNECTION_DISCONNECTED");
  });

  it("cancels a queued sync", async () => {
    await disconnect();
    await purser.drain();
    expect(await banking().syncs.list({ teamId })).toMatchObject([
      { status: "FAILED", errorCode: "CONNECTION_DISCONNECTED", finishedAt: purser.clock.now() },
    ]);
    expect(await banking().transactions.list({ teamId })).toEqual([]);
  });

  it("keeps the end of a consent that had already expired", async () => {
    const [before] = await banking().connections.list({ teamId });
    const { expiresAt } = before!.consents[0]!;
    purser.clock.set(new Date(expiresAt.getTime() + day));
    const revoked = [{ id: "ada", status: "REVOKED", revokedAt: expiresAt }];
    expect((await disconnect()).consents).toEqual(revoked);
    expect((await disconnect()).consents).toEqual(revoked);
  });

  it("is limited to the connections of this team", async () => {
    const { disconnect: end } = banking().connections;
    const unknown = purser.unknownId("bcn");
    expect(await refusalOf(end({ teamId, connectionId: unknown }))).toBe("CONNECTION_NOT_FOUND");
    expect(await refusalOf(end({ teamId, connectionId: "bcn" }))).toBe("CONNECTION_NOT_FOUND");
    const other = await purser.organization(owner);
    expect(await refusalOf(end({ teamId: other, connectionId }))).toBe("CONNECTION_NOT_FOUND");
    expect(await banking().connections.list({ teamId })).toMatchObject([{ status: "ACTIVE" }]);
  });
});

describe("a connection that is connected again", () => {
  it("keeps its id, accounts and transactions, and continues", async () => {
    await sync();
    const before = await ledger();
    await disconnect();
    await purser.drain();
    purser.clock.advance(1);
    expect(await connect()).toMatchObject({
      id: connectionId,
      status: "ACTIVE",
      consents: [{ id: "ada", status: "AUTHORIZED", revokedAt: null }],
    });
    await purser.drain();
    expect(await ledger()).toEqual(before);
    const [last] = await banking().syncs.list({ teamId });
    expect(last).toMatchObject({ trigger: "CONNECT", status: "SUCCEEDED", added: 0, removed: 0 });
    expect(await statusAtBank()).toBe("AUTHORIZED");
  });

  it("stays connected if the earlier revocation reaches the bank late", async () => {
    await disconnect();
    await connect();
    await purser.drain();
    expect(await statusAtBank()).toBe("AUTHORIZED");
    expect(await sync()).toMatchObject({ status: "ACTIVE" });
  });

  it("is either connected or not after a race", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [refusal] = await Promise.all([connect().then(() => null, problemOf), disconnect()]);
      if (refusal !== null) expect(refusal.code).toBe("UNAVAILABLE");
      const [row] = await banking().connections.list({ teamId });
      const isOn = row!.status === "ACTIVE";
      expect(row!.consents[0]!.status).toBe(isOn ? "AUTHORIZED" : "REVOKED");
      expect((await tokens())[0] === null).toBe(!isOn);
      if (!isOn) await connect();
    }
  });
});
