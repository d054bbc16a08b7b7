import { day } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Access, TransactionData } from "../ports.ts";
import { sandboxBank } from "./bank.ts";
import { type TestBank, anyInstitution, createTestBank, failure } from "./testing/bank.ts";

let test: TestBank;
beforeAll(async () => {
  test = await createTestBank();
});
afterAll(() => test.close());

const reference = (consentId: string, institutionId = anyInstitution) => ({
  organizationId: test.organizationId,
  institutionId,
  consentId,
});

describe("openConsent", () => {
  it("accepts any consent id, and grants everything for 90 days without a limit", async () => {
    const grant = await test.bank.openConsent(reference("any_Name-1"));
    expect(grant).toMatchObject({
      consentId: "any_Name-1",
      institution: { id: "sprout-bank", name: "Sprout Bank", country: "GB", logoUrl: null },
      scopes: ["accounts", "balances", "transactions"],
      expiresAt: new Date(test.purser.clock.now().getTime() + 90 * day),
      isLimit: false,
    });
    expect(await test.bank.openConsent(reference("any_Name-1"))).toEqual(grant);
  });

  it.each([
    ["", "invalid_consent_id"],
    ["ä", "invalid_consent_id"],
    ["a b", "invalid_consent_id"],
    ["a.b", "invalid_consent_id"],
    ["x".repeat(256), "invalid_consent_id"],
    ["fail-revoked", "reauthorization_required"],
    ["fail-expired", "reauthorization_required"],
    ["fail-outage", "outage"],
    ["fail-foreign", "consent_not_found"],
  ])("refuses %j with %s", async (consentId, kind) => {
    expect(await failure(test.bank.openConsent(reference(consentId)))).toBe(kind);
  });

  it("accepts a consent only at the institution of its first use, separately for each team", async () => {
    const here = await test.open("one-name");
    expect(await failure(test.bank.openConsent(reference("one-name", "harbour-vale")))).toBe(
      "consent_not_found",
    );
    expect(await failure(test.bank.openConsent(reference("one-name", "no-such-bank")))).toBe(
      "institution_not_found",
    );
    const there = await test.open("one-name", "harbour-vale", test.otherId);
    expect(await failure(test.bank.accounts({ ...here, organizationId: test.otherId }))).toBe(
      "consent_not_found",
    );
    expect(await test.bank.accounts(there)).toHaveLength(5);
  });

  it("returns one customer to concurrent callers", async () => {
    const grants = await Promise.all(Array.from({ length: 8 }, () => test.open("at-once")));
    expect(new Set(grants.map(({ token }) => token)).size).toBe(1);
    const lists = await Promise.all(grants.map((access) => test.bank.accounts(access)));
    for (const accounts of lists) expect(accounts).toEqual(lists[0]);
  });

  it("rejects a wrong token", async () => {
    const access = await test.open("guarded");
    for (const token of [null, "", `${access.token}x`, (await test.open("other")).token]) {
      expect(await failure(test.bank.accounts({ ...access, token }))).toBe("reauthorization_required");
    }
  });
});

describe("accounts and changes", () => {
  it("cover every account type in two currencies, with balances that match the posted transactions", async () => {
    const access = await test.open("balanced", "sandbox-bank");
    const before = await test.bank.accounts(access);
    expect(before.map(({ type }) => type).toSorted()).toEqual([
      "CHECKING",
      "CHECKING",
      "CREDIT",
      "INVESTMENT",
      "SAVINGS",
    ]);
    expect(new Set(before.map(({ currency }) => currency))).toEqual(new Set(["GBP", "EUR"]));
    const first = await test.readOn(access);
    expect(first.added.length).toBeGreaterThan(1500);
    expect([first.modified, first.removed]).toEqual([[], []]);
    test.purser.clock.advance(40 * day);
    const after = await test.bank.accounts(access);
    const { added, removed } = await test.readOn(access, first.cursor);
    const gone = new Set(removed.map(({ externalId }) => externalId));
    expect(first.added.filter(({ externalId }) => gone.has(externalId!)).every(isPending)).toBe(true);
    for (const [index, account] of before.entries()) {
      const booked = added.filter((one) => one.accountId === account.externalId && !isPending(one));
      const sum = booked.reduce((all, { type, amount }) => all + (type === "CREDIT" ? amount : -amount), 0);
      expect(after[index]!.balance).toBe(account.balance! + sum);
    }
  });

  const isPending = ({ status }: TransactionData) => status === "PENDING";

  it("report a posted transaction under a new id that names the pending one, which is removed", async () => {
    const access = await test.open("settling");
    const first = await test.readOn(access);
    const pending = first.added.filter(isPending);
    expect(pending.length).toBeGreaterThan(0);
    test.purser.clock.advance(2 * day);
    const { added, removed } = await test.readOn(access, first.cursor);
    for (const { externalId, amount } of pending) {
      expect(added.find((one) => one.pendingExternalId === externalId)).toMatchObject({
        amount,
        status: "POSTED",
      });
      expect(removed.map((one) => one.externalId)).toContain(externalId);
    }
  });

  it("do not depend on the page size, and are empty if nothing is new", async () => {
    const access = await test.open("paged");
    const whole = await test.readOn(access);
    const small = await test.readOn(access, null, sandboxBank(test.purser.platform, { pageSize: 17 }));
    expect(small).toEqual(whole);
    expect(await test.readOn(access, whole.cursor)).toEqual({
      added: [],
      modified: [],
      removed: [],
      cursor: whole.cursor,
    });
    expect(whole.added.every(({ rawAmount, type }) => rawAmount.startsWith("-") === (type === "DEBIT"))).toBe(
      true,
    );
  });

  it("have different ids under another consent", async () => {
    const [team, other] = [await test.open("twice"), await test.open("twice", anyInstitution, test.otherId)];
    const [mine, theirs] = [await test.bank.accounts(team), await test.bank.accounts(other)];
    expect(theirs.map(({ identifiers }) => identifiers)).toEqual(mine.map(({ identifiers }) => identifiers));
    const ids = async (access: Access) =>
      (await test.readOn(access)).added.map(({ externalId }) => externalId!);
    const [those, these] = [new Set(await ids(team)), await ids(other)];
    expect(these).toHaveLength(those.size);
    expect(these.filter((id) => those.has(id))).toEqual([]);
  });

  it("format amounts with their currency's number of decimals", async () => {
    const amounts = async (institutionId: string) => {
      const { added } = await test.readOn(await test.open(`raw-${institutionId}`, institutionId));
      const found = added.slice(0, 50).filter(({ currency }) => currency !== "USD");
      expect(found.length).toBeGreaterThan(0);
      return found;
    };
    for (const { rawAmount, amount } of await amounts("kawasemi-bank")) {
      expect(rawAmount.replace("-", "")).toBe(String(amount));
    }
    for (const { rawAmount, amount } of await amounts("gulf-pearl-bank")) {
      expect(rawAmount).toMatch(/^-?\d+\.\d{3}$/);
      expect(Number(rawAmount.replace(/[-.]/g, ""))).toBe(amount);
    }
  });

  it("leave no account number in the database", async () => {
    const accounts = await test.bank.accounts(await test.open("balanced", "sandbox-bank"));
    const [row] = await test.purser.db.execute<{ dump: string }>(
      `SELECT (SELECT json_agg(c)::text FROM sandbox_bank_customers c) || (SELECT json_agg(a)::text FROM sandbox_bank_accounts a)
         || (SELECT json_agg(s)::text FROM sandbox_bank_consents s) AS dump`,
    );
    expect(row!.dump).toContain("balanced");
    const numbers = accounts.flatMap(({ accountNumber }) => accountNumber ?? []);
    expect(numbers.length).toBeGreaterThan(0);
    for (const number of numbers) expect(row!.dump).not.toContain(number);
    expect(row!.dump).not.toContain("sandbox-access");
  });
});

describe("the window feed", () => {
  it("returns the same transactions per account as the change feed", async () => {
    const access = await test.open("windowed");
    const { added } = await test.readOn(access);
    const from = new Date(test.purser.clock.now().getTime() - 14 * day).toISOString().slice(0, 10);
    for (const { externalId } of await test.bank.accounts(access)) {
      const expected = added.filter(({ accountId }) => accountId === externalId);
      const ids = (list: TransactionData[]) => new Set(list.map((one) => one.externalId));
      expect(ids(await test.readWindow(access, externalId, "2000-01-01"))).toEqual(ids(expected));
      const recent = await test.readWindow(access, externalId, from);
      expect(ids(recent)).toEqual(ids(expected.filter(({ date }) => date >= from)));
    }
    expect(await failure(test.readWindow(access, "acct-unknown", "2026-01-01"))).toBe("outage");
  });
});
