import { addToDay } from "@purser/core";
import { describe, expect, it } from "vitest";
import { numberOf, accountPlansOf } from "./accounts.ts";
import { generateActivity } from "./background-activity.ts";
import { daysAfter } from "./days.ts";
import { findInstitution, searchInstitutions } from "./institutions.ts";
import { type Entry, CustomerLedger, withoutRemoved } from "./ledger.ts";

const last = "2026-03-02";
const sandboxBank = findInstitution("sandbox-bank");

/** Two years of a customer's activity, generated in this many parts. */
function history(institution = sandboxBank, name = "alice", parts = 1) {
  const plans = accountPlansOf(institution);
  let ledger = new CustomerLedger(
    0,
    plans.map(({ account, opening }) => ({ account, booked: opening, pending: 0 })),
  );
  const entries: Entry[] = [];
  const pending = () => {
    const removed = new Set(entries.filter(({ kind }) => kind === "REMOVED").map((one) => one.transaction));
    return entries.filter(({ status, transaction }) => status === "PENDING" && !removed.has(transaction));
  };
  let from = addToDay(last, -730);
  for (let part = 1; part <= parts; part += 1) {
    const to = part === parts ? last : addToDay(from, 61);
    generateActivity({ institution, name }, plans, ledger, pending(), daysAfter(from, to));
    entries.push(...ledger.entries);
    ledger = new CustomerLedger(ledger.lastNumber, ledger.balances);
    from = to;
  }
  return { plans, entries, balances: ledger.balances };
}

const signed = ({ type, amount }: Entry) => (type === "CREDIT" ? amount : -amount);

describe("the activity of a customer", () => {
  it("is deterministic, and does not depend on how the days are divided", () => {
    const once = history();
    expect(history()).toEqual(once);
    expect(history(sandboxBank, "alice", 11)).toEqual(once);
  });

  it("differs by customer name and by institution", () => {
    const descriptions = (entries: Entry[]) => entries.map(({ amount }) => amount).join();
    const alice = descriptions(history().entries);
    expect(descriptions(history(sandboxBank, "bob").entries)).not.toBe(alice);
    expect(descriptions(history(findInstitution("harbour-vale")).entries)).not.toBe(alice);
  });

  it("fills two years of every account, with about three a day in the current account, most with a category", () => {
    const { plans, entries } = history();
    const current = withoutRemoved(entries);
    expect(plans.map(({ type }) => type)).toEqual([
      "CHECKING",
      "SAVINGS",
      "CREDIT",
      "INVESTMENT",
      "CHECKING",
    ]);
    const counts = plans.map(({ account }) => current.filter((entry) => entry.account === account).length);
    expect(counts[0]! / 730).toBeGreaterThan(2);
    expect(counts[0]! / 730).toBeLessThan(4);
    for (const count of counts) expect(count).toBeGreaterThan(40);
    const categorized = current.filter(({ category }) => category !== null).length / current.length;
    expect(categorized).toBeGreaterThan(0.8);
    expect(categorized).toBeLessThan(1);
  });

  it("posts card payments after one or two days, as new transactions that name the pending ones", () => {
    const { entries } = history();
    const pending = new Map(
      entries
        .filter(({ status, kind }) => status === "PENDING" && kind === "ADDED")
        .map((one) => [one.number, one]),
    );
    const posted = entries.filter(({ replaces }) => replaces !== null);
    expect(posted.length).toBeGreaterThan(1000);
    for (const entry of posted) {
      const before = pending.get(entry.replaces!)!;
      expect([addToDay(before.date, 1), addToDay(before.date, 2)]).toContain(entry.date);
      expect(entry).toMatchObject({
        amount: before.amount,
        description: before.description,
        status: "POSTED",
      });
      expect(entry.transaction).not.toBe(before.transaction);
    }
  });

  it.each(searchInstitutions({}).map((institution) => [institution.name, institution] as const))(
    "keeps the accounts of %s in credit, and the card within its limit",
    (_, institution) => {
      const { plans, entries, balances } = history(institution);
      const booked = plans.map(({ opening }) => opening);
      for (const entry of entries) {
        if (entry.status !== "POSTED") continue;
        booked[entry.account]! += signed(entry);
        const { creditLimit, role } = plans[entry.account]!;
        const value = booked[entry.account]!;
        expect(role === "card" ? value >= -creditLimit && value <= 0 : value > 0, `${role} ${value}`).toBe(
          true,
        );
      }
      expect(balances.map((balance) => balance.booked)).toEqual(booked);
    },
  );
});

describe("withoutRemoved", () => {
  it("keeps the current transactions, numbered from 1 without gaps, with the same balances", () => {
    const { entries, balances } = history();
    const current = withoutRemoved(entries);
    expect(current.map(({ number }) => number)).toEqual(current.map((_, index) => index + 1));
    const sum = (status: Entry["status"]) =>
      current
        .filter((entry) => entry.account === 0 && entry.status === status)
        .reduce((all, one) => all + signed(one), 0);
    const { opening } = accountPlansOf(sandboxBank)[0]!;
    expect(balances[0]).toMatchObject({ booked: opening + sum("POSTED"), pending: sum("PENDING") });
  });
});

describe("account numbers", () => {
  it.each(searchInstitutions({}).map((institution) => [institution.name, institution] as const))(
    "of %s are valid, permanent, and unique to each account and customer",
    (_, institution) => {
      const numbers = ["alice", "bob"].flatMap((name) =>
        accountPlansOf(institution).map((plan) => numberOf(institution, name, plan)),
      );
      const identifiers = numbers.flatMap((number) => number.identifiers);
      expect(new Set(identifiers).size).toBe(identifiers.length);
      for (const plan of accountPlansOf(institution)) {
        expect(numberOf(institution, "alice", plan)).toEqual(numbers[plan.account]);
      }
      for (const iban of identifiers.filter((one) => one.startsWith("iban:")).map((one) => one.slice(5))) {
        expect(remainder(iban)).toBe(1n);
      }
    },
  );

  /** ISO 13616, computed differently from the code under test: the first four characters move to the end. */
  function remainder(iban: string): bigint {
    const moved = iban.slice(4) + iban.slice(0, 4);
    return (
      BigInt(
        moved
          .split("")
          .map((character) => Number.parseInt(character, 36))
          .join(""),
      ) % 97n
    );
  }
});

describe("institutions", () => {
  it("are found by part of their name, ignoring accents, best match first, and by country", () => {
    const names = (query: string, country?: string) =>
      searchInstitutions({ query, country }).map(({ id }) => id);
    expect(names("credit")).toEqual(["credit-du-mistral"]);
    expect(names("BANK").length).toBeGreaterThan(2);
    expect(names("", "GB")).toEqual(["sandbox-bank", "harbour-vale", "sprout-bank"]);
    expect(names("no such bank")).toEqual([]);
    const countries = new Set(searchInstitutions({}).map(({ country }) => country));
    for (const country of ["GB", "DE", "FR", "US", "JP"]) expect(countries).toContain(country);
  });
});
