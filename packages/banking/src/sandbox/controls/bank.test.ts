import { day } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestBank, createTestBank, failure } from "../testing/bank.ts";
import {
  changeBankTransaction,
  clearBankFaults,
  expireConsent,
  postBankTransaction,
  removeBankTransaction,
  repairConsent,
  requireReauthorization,
  revokeConsent,
} from "./bank.ts";

let test: TestBank;
beforeAll(async () => {
  test = await createTestBank();
});
afterAll(() => test.close());

describe("what is done on command", () => {
  it("appear in the feed as added, posted, changed and removed, and in the balance", async () => {
    const access = await test.open("commanded");
    const [account] = await test.bank.accounts(access);
    const { cursor } = await test.readOn(access);
    const id = (await test.pay(access, account!, 1250, true))!;
    const pending = await test.readOn(access, cursor);
    expect(pending.added).toMatchObject([
      { externalId: id, status: "PENDING", amount: 1250, rawAmount: "-12.50" },
    ]);
    expect((await test.bank.accounts(access))[0]).toMatchObject({
      balance: account!.balance,
      availableBalance: account!.availableBalance! - 1250,
    });

    const postedId = await test.atBank(access, (target) =>
      postBankTransaction(test.purser.platform, target, id, { amount: 1300 }),
    );
    const posted = await test.readOn(access, pending.cursor);
    expect(posted.added).toMatchObject([
      { externalId: postedId, pendingExternalId: id, amount: 1300, status: "POSTED" },
    ]);
    expect(posted.removed).toEqual([{ accountId: account!.externalId, externalId: id }]);
    expect((await test.bank.accounts(access))[0]!.balance).toBe(account!.balance! - 1300);
    expect(
      await test.atBank(access, (target) => postBankTransaction(test.purser.platform, target, postedId!, {})),
    ).toBeNull();

    const change = { amount: 900, category: "EATING_OUT", date: "2026-01-01" };
    await test.atBank(access, (target) =>
      changeBankTransaction(test.purser.platform, target, postedId!, change),
    );
    const changed = await test.readOn(access, posted.cursor);
    expect(changed.modified).toMatchObject([{ ...change, externalId: postedId, description: "Lunch" }]);
    expect((await test.bank.accounts(access))[0]!.balance).toBe(account!.balance! - 900);

    await test.atBank(access, (target) => removeBankTransaction(test.purser.platform, target, postedId!));
    const removed = await test.readOn(access, changed.cursor);
    expect(removed.removed).toEqual([{ accountId: account!.externalId, externalId: postedId }]);
    expect(await test.bank.accounts(access)).toMatchObject([{ balance: account!.balance }, {}, {}, {}, {}]);
    expect(
      await test.atBank(access, (target) => removeBankTransaction(test.purser.platform, target, postedId!)),
    ).toBeNull();
    // A read from the beginning omits transactions that were removed since.
    expect((await test.readOn(access)).added.map(({ externalId }) => externalId)).not.toContain(postedId);
  });

  it("are ordered if they happen concurrently", async () => {
    const access = await test.open("crowded");
    const [account] = await test.bank.accounts(access);
    const { cursor } = await test.readOn(access);
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => test.pay(access, account!, index + 1)),
    );
    const { added } = await test.readOn(access, cursor);
    expect(added).toHaveLength(ids.length);
    expect(new Set(added.map(({ externalId }) => externalId))).toEqual(new Set(ids));
    expect((await test.bank.accounts(access))[0]!.balance).toBe(account!.balance! - 78);
  });

  it("leave pending transactions pending, and changed ones are still posted on their day", async () => {
    const access = await test.open("patient");
    const [account] = await test.bank.accounts(access);
    const first = await test.readOn(access);
    const settling = first.added.find(({ status }) => status === "PENDING")!;
    await test.atBank(access, (target) =>
      changeBankTransaction(test.purser.platform, target, settling.externalId!, { amount: 4242 }),
    );
    const own = await test.pay(access, account!, 5, true);
    test.purser.clock.advance(5 * day);
    const later = await test.readOn(access, first.cursor);
    expect(
      later.added.find(({ pendingExternalId }) => pendingExternalId === settling.externalId),
    ).toMatchObject({
      amount: 4242,
      status: "POSTED",
    });
    expect(later.added.find(({ externalId }) => externalId === own)).toMatchObject({ status: "PENDING" });
  });
});

describe("consents", () => {
  it("stop reads when they end at the bank, and allow them again once reopened", async () => {
    const access = await test.open("ending");
    const read = () => failure(test.bank.accounts(access));
    const { platform } = test.purser;
    expect(await test.bank.consentStatus(access)).toEqual({ status: "authorized", expiresAt: null });
    await test.atBank(access, (target) => requireReauthorization(platform, target));
    expect(await test.bank.consentStatus(access)).toEqual({ status: "reauthorization_required" });
    expect(await read()).toBe("reauthorization_required");
    await test.atBank(access, (target) => repairConsent(platform, target));
    expect(await read()).toBe("it succeeded");

    for (const end of [expireConsent, revokeConsent]) {
      await test.atBank(access, (target) => end(platform, target));
      expect(await test.bank.consentStatus(access)).toEqual({ status: "revoked" });
      expect(await read()).toBe("reauthorization_required");
      await test.atBank(access, (target) => repairConsent(platform, target));
      expect(await read()).toBe("reauthorization_required");
      expect(await test.bank.reopen!(access)).toMatchObject({ isLimit: false, token: access.token });
      expect(await read()).toBe("it succeeded");
    }
    await test.bank.revoke(access);
    await test.bank.revoke(access);
    await test.bank.revoke({ ...access, consentId: "never-given" });
    expect(await test.bank.consentStatus(access)).toEqual({ status: "revoked" });
    // Opening the same id again gives the consent again.
    expect(await test.open("ending")).toEqual(access);
    expect(await read()).toBe("it succeeded");
  });
});

describe("faults", () => {
  it("make calls fail, a number of times or until they are cleared", async () => {
    const access = await test.open("faulty");
    await test.fail(access, "outage", 2);
    expect(await failure(test.bank.accounts(access))).toBe("outage");
    expect(await failure(test.bank.consentStatus(access))).toBe("outage");
    expect(await failure(test.bank.accounts(access))).toBe("it succeeded");
    await test.fail(access, "outage", null);
    for (let times = 0; times < 3; times += 1) expect(await failure(test.readOn(access))).toBe("outage");
    expect(await failure(test.bank.openConsent(access))).toBe("outage");
    await test.atBank(access, clearBankFaults);
    expect(await failure(test.readOn(access))).toBe("it succeeded");
  });

  it("limit the rate with a retry time, and slow down responses", async () => {
    const access = await test.open("slow");
    await test.fail(access, "rate_limited");
    await expect(test.bank.accounts(access)).rejects.toMatchObject({
      kind: "rate_limited",
      retryAfterSeconds: 7,
    });
    await test.fail(access, "slow", 1, 4321);
    await test.bank.accounts(access);
    await test.bank.accounts(access);
    expect(test.waits).toEqual([4321]);
  });

  it("hide accounts while transactions can still be read", async () => {
    const access = await test.open("hidden");
    await test.fail(access, "accounts_outage");
    expect(await failure(test.readOn(access))).toBe("it succeeded");
    expect(await failure(test.bank.accounts(access))).toBe("outage");
    expect(await failure(test.bank.accounts(access))).toBe("it succeeded");
  });

  it("interrupt the feed: not ready, changed after the first page, or a lost cursor", async () => {
    const access = await test.open("interrupted");
    const { cursor } = await test.readOn(access);
    await test.fail(access, "not_ready");
    expect(await failure(test.readOn(access))).toBe("not_ready");
    await test.fail(access, "cursor_lost");
    expect((await test.page(access, null)).hasMore).toBe(true);
    expect(await failure(test.readOn(access, cursor))).toBe("cursor_lost");
    expect(await failure(test.readOn(access, cursor))).toBe("it succeeded");
    for (const wrong of ["x", "-1", "999999999", ""]) {
      expect(await failure(test.readOn(access, wrong))).toBe("cursor_lost");
    }
    await test.fail(access, "mutation_during_pagination", 2);
    // Even if everything fits on one page.
    expect(await failure(test.readOn(access, cursor))).toBe("mutated");
    expect(await failure(test.readOn(access))).toBe("mutated");
    expect((await test.readOn(access, cursor)).added).toEqual([]);
  });

  it("return blank, repeated and reused ids", async () => {
    const access = await test.open("lying");
    const honest = (await test.readOn(access, null)).added;
    const page = (await test.page(access, null)).added;
    expect(page).toEqual(honest.slice(0, page.length));
    await test.fail(access, "blank_ids");
    expect((await test.page(access, null)).added.map(({ externalId }) => externalId)).toEqual(
      page.map(() => ""),
    );
    await test.fail(access, "repeated_ids");
    expect((await test.page(access, null)).added).toEqual([...page, ...page.slice(0, 3)]);
    await test.fail(access, "reused_ids");
    const reused = (await test.page(access, null)).added;
    expect(reused).toHaveLength(page.length + 1);
    expect(reused.at(-1)).toMatchObject({ externalId: page[0]!.externalId, amount: page[0]!.amount + 1234 });
    expect((await test.page(access, null)).added).toEqual(page);
  });
});
