import { bankConnections, inboxEvents } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
let accountId: string;

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  teamId = await purser.organization(owner);
  const input = { teamId, ...bank, consentId: "controlled" };
  ({ id: connectionId } = await purser.as(owner).banking.connections.connect(input));
  const accounts = await purser.as(owner).banking.accounts.list({ teamId });
  accountId = accounts.find(({ accountName }) => accountName === "Current Account")!.id;
  await purser.drain();
});
afterAll(() => purser.close());

const controls = () => purser.as(owner).sandbox.banking;
const target = () => ({ teamId, connectionId });
const sync = () => purser.as(owner).banking.connections.sync(target());

/** The team's transactions with this description. */
async function seen(description: string) {
  const transactions = await purser.as(owner).banking.transactions.list({ teamId, limit: 50 });
  return transactions.filter((transaction) => transaction.description === description);
}

/** The types of the sandbox events that arrived after these. */
async function events(): Promise<string[]> {
  const rows = await purser.db.select().from(inboxEvents).where(eq(inboxEvents.provider, "sandbox"));
  return rows.map(({ type }) => type).toSorted();
}

async function newEvents(act: () => Promise<unknown>): Promise<string[]> {
  const before = await events();
  await act();
  await purser.drain();
  const after = await events();
  for (const type of before) after.splice(after.indexOf(type), 1);
  return after;
}

describe("sandbox.banking.addTransaction", () => {
  it("adds a transaction at the bank, and the team sees it because the bank sends a webhook", async () => {
    const input = { amount: 1250, type: "DEBIT", description: "Team lunch", category: "EATING_OUT" } as const;
    const received = await newEvents(() => controls().addTransaction({ ...target(), accountId, ...input }));
    expect(received).toEqual(["transactions.changed"]);
    expect(await seen("Team lunch")).toMatchObject([{ ...input, accountId }]);
  });

  it("sends no webhook if notify is false", async () => {
    const input = { amount: 1, type: "CREDIT", description: "Quiet", notify: false } as const;
    expect(await newEvents(() => controls().addTransaction({ ...target(), accountId, ...input }))).toEqual(
      [],
    );
    expect(await seen("Quiet")).toEqual([]);
    await purser.as(owner).banking.connections.sync(target());
    expect(await seen("Quiet")).toHaveLength(1);
  });

  it("adds one transaction per idempotency key", async () => {
    const input = { ...target(), accountId, amount: 77, type: "DEBIT", description: "Once" } as const;
    const repeat = () => purser.as(owner, { idempotencyKey: "once" }).sandbox.banking.addTransaction(input);
    expect(await repeat()).toEqual(await repeat());
    await purser.drain();
    expect(await seen("Once")).toHaveLength(1);
  });

  it("is limited to the accounts of this connection", async () => {
    const input = { ...target(), accountId: purser.unknownId("bac"), amount: 1, type: "DEBIT" } as const;
    expect(await refusalOf(controls().addTransaction(input))).toBe("BANK_ACCOUNT_NOT_FOUND");
  });
});

describe("sandbox.banking.postTransaction", () => {
  it("posts a pending transaction under a new id at the bank, which is then listed", async () => {
    const input = {
      ...target(),
      accountId,
      amount: 900,
      type: "DEBIT",
      description: "Taxi",
      pending: true,
    } as const;
    const { bankTransactionId } = await controls().addTransaction(input);
    await purser.drain();
    expect(await seen("Taxi")).toEqual([]);
    const date = new Date("2026-03-01T00:00:00.000Z");
    const posted = await controls().postTransaction({ ...target(), bankTransactionId, amount: 950, date });
    expect(posted.bankTransactionId).not.toBe(bankTransactionId);
    await purser.drain();
    expect(await seen("Taxi")).toMatchObject([{ amount: 950, transactionDate: date }]);
    const again = controls().postTransaction({ ...target(), bankTransactionId: posted.bankTransactionId });
    expect(await refusalOf(again)).toBe("BANK_TRANSACTION_NOT_FOUND");
  });
});

describe("sandbox.banking.changeTransaction", () => {
  it("changes a transaction by our id or the bank's, and leaves absent fields unchanged", async () => {
    const input = { ...target(), accountId, amount: 400, type: "DEBIT", description: "Cofee" } as const;
    await controls().addTransaction(input);
    await purser.drain();
    const [wrong] = await seen("Cofee");
    await controls().changeTransaction({ ...target(), bankTransactionId: wrong!.id, description: "Coffee" });
    await purser.drain();
    expect(await seen("Cofee")).toEqual([]);
    expect(await seen("Coffee")).toEqual([{ ...wrong, description: "Coffee" }]);
  });
});

describe("sandbox.banking.removeTransaction", () => {
  it("removes a transaction, once", async () => {
    const input = { ...target(), accountId, amount: 3, type: "DEBIT", description: "Mistake" } as const;
    const { bankTransactionId } = await controls().addTransaction(input);
    await purser.drain();
    expect(await seen("Mistake")).toHaveLength(1);
    await controls().removeTransaction({ ...target(), bankTransactionId });
    await purser.drain();
    expect(await seen("Mistake")).toEqual([]);
    const again = controls().removeTransaction({ ...target(), bankTransactionId });
    expect(await refusalOf(again)).toBe("BANK_TRANSACTION_NOT_FOUND");
    const unknown = { ...target(), bankTransactionId: purser.unknownId("btx") };
    expect(await refusalOf(controls().removeTransaction(unknown))).toBe("BANK_TRANSACTION_NOT_FOUND");
  });
});

describe("sandbox.banking.setFault", () => {
  it("makes syncs fail as many times as requested", async () => {
    await controls().setFault({ ...target(), fault: "outage", times: 1 });
    expect(await refusalOf(sync())).toBe("PROVIDER_ERROR");
    expect(await sync()).toMatchObject({ id: connectionId });
  });

  it.each([
    { fault: "outage", times: 0 },
    { fault: "outage", milliseconds: 5 },
    { fault: "slow", milliseconds: 10_001 },
    { fault: "slow", retryAfterSeconds: 1 },
  ] as const)("refuses %j", async (input) => {
    expect(await refusalOf(controls().setFault({ ...target(), ...input }))).toBe("VALIDATION_FAILED");
  });
});

describe("sandbox.banking.clearFaults", () => {
  it("ends a fault without a count", async () => {
    await controls().setFault({ ...target(), fault: "rate_limited", retryAfterSeconds: 60 });
    expect(await refusalOf(sync())).toBe("PROVIDER_ERROR");
    expect(await refusalOf(sync())).toBe("PROVIDER_ERROR");
    await controls().clearFaults(target());
    expect(await sync()).toMatchObject({ id: connectionId });
  });
});

describe("sandbox.banking.requireReauthorization", () => {
  it("sends a webhook, and pauses the connection", async () => {
    const received = await newEvents(() => controls().requireReauthorization(target()));
    expect(received).toEqual(["consent.reauthorization_required"]);
    expect(await refusalOf(sync())).toBe("REAUTHORIZATION_REQUIRED");
  });
});

describe("sandbox.banking.repairConsent", () => {
  it("resumes a connection whose consent needed confirmation", async () => {
    await controls().requireReauthorization({ ...target(), notify: false });
    expect(await newEvents(() => controls().repairConsent(target()))).toEqual(["consent.changed"]);
    expect(await sync()).toMatchObject({ id: connectionId });
  });
});

describe("sandbox.banking.expireConsent", () => {
  it("ends the consent at the bank, and notifies the team", async () => {
    expect(await endOf("expireConsent")).toEqual({ received: ["consent.changed"], status: "REVOKED" });
  });
});

describe("sandbox.banking.revokeConsent", () => {
  it("ends the consent at the bank, and notifies the team", async () => {
    expect(await endOf("revokeConsent")).toEqual({ received: ["consent.revoked"], status: "REVOKED" });
  });
});

/** The notifications after a control ends a consent, and the stored status of that consent. */
async function endOf(control: "expireConsent" | "revokeConsent") {
  const { connections } = purser.as(owner).banking;
  const { id } = await connections.connect({ teamId, ...bank, consentId: control });
  await purser.drain();
  const received = await newEvents(() => controls()[control]({ teamId, connectionId: id }));
  const ended = (await connections.list({ teamId })).find((connection) => connection.id === id)!;
  return { received, status: ended.consents[0]!.status };
}

describe("every control of the sandbox's banks", () => {
  it("accepts connections to the sandbox only", async () => {
    const unknown = { teamId, connectionId: purser.unknownId("bcn") };
    expect(await refusalOf(controls().clearFaults(unknown))).toBe("CONNECTION_NOT_FOUND");
    const foreign = { teamId: await purser.organization(owner), connectionId };
    expect(await refusalOf(controls().clearFaults(foreign))).toBe("CONNECTION_NOT_FOUND");
    await purser.db
      .update(bankConnections)
      .set({ provider: "plaid" })
      .where(eq(bankConnections.id, connectionId));
    expect(await refusalOf(controls().clearFaults(target()))).toBe("NOT_SUPPORTED_BY_PROVIDER");
    await purser.db
      .update(bankConnections)
      .set({ provider: "sandbox" })
      .where(eq(bankConnections.id, connectionId));
  });

  it("writes an audit entry with its change", async () => {
    await controls().setFault({ ...target(), fault: "slow", milliseconds: 1, times: 1 });
    const entries = await purser.as(owner).organizations.audit.list({ id: teamId });
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: "sandbox.banking.setFault",
        subject: connectionId,
        details: { fault: "slow", milliseconds: 1, times: 1 },
      }),
    );
  });
});
