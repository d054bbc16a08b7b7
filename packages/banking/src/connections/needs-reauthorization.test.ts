import { hour, minute } from "@purser/core/testing";
import { type Person, type TestPurser, createTestPurser, handlerOf, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";

let purser: TestPurser;
let owner: Person;
let second: Person;
let member: Person;
let teamId: string;
let connectionId: string;
let count = 0;

beforeAll(async () => {
  purser = await createTestPurser();
  [owner, second, member] = [await purser.person(), await purser.person(), await purser.person()];
  teamId = await purser.organization(owner, { owners: [second], members: [member] });
  await purser.drain();
});
afterAll(() => purser.close());
beforeEach(async () => {
  count += 1;
  const input = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId: `p${count}` } as const;
  ({ id: connectionId } = await banking().connections.connect(input));
  await sync();
  purser.mails.length = 0;
});

const banking = () => purser.as(owner).banking;
const controls = () => purser.as(owner).sandbox.banking;
const target = () => ({ teamId, connectionId });
const sync = () => banking().connections.sync(target());

async function ledger() {
  const accounts = await banking().accounts.list(target());
  return { accounts, transactions: await banking().transactions.list(target()) };
}

describe("a bank that requires the user", () => {
  const recipients = () => purser.mails.map(({ to }) => to).toSorted();
  const owners = () => [owner.email, second.email].toSorted();
  const consents = async () =>
    (await banking().connections.list({ teamId })).find(({ id }) => id === connectionId)!.consents;

  it("revokes the consent here if the bank has revoked it, and notifies the owners once", async () => {
    const before = await ledger();
    await controls().revokeConsent({ ...target(), notify: false });
    purser.clock.advance(minute);
    const revokedAt = purser.clock.now();
    expect(await refusalOf(sync())).toBe("REAUTHORIZATION_REQUIRED");
    expect(await consents()).toMatchObject([{ status: "REVOKED", revokedAt }]);
    expect(await ledger()).toEqual(before);
    purser.clock.advance(minute);
    expect(await refusalOf(sync())).toBe("REAUTHORIZATION_REQUIRED");
    expect(await consents()).toMatchObject([{ revokedAt }]);
    await purser.drain();
    expect(recipients()).toEqual(owners());
    expect(purser.mails[0]!.text).toContain("Sprout Bank");
  });

  it("pauses the connection until the consent is confirmed", async () => {
    const [account] = (await ledger()).accounts;
    await controls().addTransaction({
      ...target(),
      accountId: account!.id,
      amount: 1250,
      type: "DEBIT",
      description: "Confirmed",
      notify: false,
    });
    await controls().requireReauthorization({ ...target(), notify: false });
    expect(await refusalOf(sync())).toBe("REAUTHORIZATION_REQUIRED");
    expect(await refusalOf(sync())).toBe("REAUTHORIZATION_REQUIRED");
    expect(await consents()).toMatchObject([{ status: "AUTHORIZED", revokedAt: null }]);
    await purser.drain();
    expect(recipients()).toEqual(owners());
    await controls().repairConsent({ ...target(), notify: false });
    await sync();
    const { transactions } = await ledger();
    expect(transactions.filter(({ description }) => description === "Confirmed")).toHaveLength(1);
  });

  it("notifies the owners again if it happens again", async () => {
    for (const times of [1, 2]) {
      await controls().requireReauthorization({ ...target(), notify: false });
      await refusalOf(sync());
      await purser.drain();
      expect(purser.mails).toHaveLength(2 * times);
      await controls().repairConsent({ ...target(), notify: false });
      await sync();
    }
  });

  it("is not read on schedule until the user has acted", async () => {
    await controls().requireReauthorization({ ...target(), notify: false });
    await refusalOf(sync());
    const before = await banking().syncs.list(target());
    purser.clock.advance(24 * hour);
    await handlerOf(purser.handlers, bankingJobs.schedule)(null, { id: "", attempt: 1, last: true });
    await purser.drain();
    expect(await banking().syncs.list(target())).toEqual(before);
  });

  it("is read again within a day, without a mail, if the consent works again and nobody reports it", async () => {
    await controls().requireReauthorization({ ...target(), notify: false });
    await refusalOf(sync());
    await purser.drain();
    purser.mails.length = 0;
    await controls().repairConsent({ ...target(), notify: false });
    purser.clock.advance(24 * hour);
    await handlerOf(purser.handlers, bankingJobs.schedule)(null, { id: "", attempt: 1, last: true });
    await purser.drain();
    const health = await banking().connections.health({ teamId });
    const own = health.find((one) => one.connectionId === connectionId);
    expect(own).toMatchObject({ status: "ok", lastSuccessAt: purser.clock.now() });
    expect(purser.mails).toEqual([]);
  });
});
