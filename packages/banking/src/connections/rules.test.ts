import { describe, expect, it } from "vitest";
import {
  consentAt,
  consentDeadline,
  dueWarning,
  isActiveAtBank,
  isGranted,
  noExpiry,
  renewedExpiry,
  withheldScopes,
} from "./rules.ts";

const now = new Date("2026-03-02T09:00:00Z");
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

const consent = (fields: object = {}) => ({
  id: "one",
  status: "AUTHORIZED" as const,
  scopes: ["accounts"],
  expiresAt: later(day),
  revokedAt: null,
  grantedScopes: null as string[] | null,
  grantedUntil: null as Date | null,
  reconfirmBy: null as Date | null,
  disconnectAt: null as Date | null,
  ...fields,
});

describe("consentAt", () => {
  it("returns the stored state until the consent expires", () => {
    expect(consentAt(consent(), later(day - 1))).toEqual(consent());
  });

  it("reads as revoked from the instant of expiry, with that instant as its end", () => {
    const ended = { ...consent(), status: "REVOKED", revokedAt: later(day) };
    expect(consentAt(consent(), later(day))).toEqual(ended);
    expect(consentAt(consent(), later(99 * day))).toEqual(ended);
  });

  it("keeps an earlier revocation", () => {
    const revoked = consent({ status: "REVOKED", revokedAt: now });
    expect(consentAt(revoked, later(99 * day))).toEqual(revoked);
  });
});

describe("isGranted", () => {
  const limited = { grantedScopes: ["accounts", "transactions"], grantedUntil: later(day) };

  it.each([
    ["everything that the bank has granted", limited, ["accounts", "transactions"], day, true],
    ["less", limited, ["accounts"], hour, true],
    ["nothing at all", limited, [], hour, true],
    ["another scope", limited, ["accounts", "payments"], hour, false],
    ["a longer time", limited, ["accounts"], day + 1, false],
    ["any scope if the bank sets no limit", { ...limited, grantedScopes: null }, ["payments"], day, true],
    ["any expiry if the bank sets none", { ...limited, grantedUntil: null }, ["accounts"], 9999 * day, true],
  ])("decides about %s", (_what, granted, scopes, duration, expected) => {
    expect(isGranted(granted, { scopes, expiresAt: later(duration) })).toBe(expected);
  });
});

describe("withheldScopes", () => {
  const usual = ["accounts", "balances", "transactions"];

  it.each([
    ["nothing of a full list", usual, null, []],
    ["the usual scopes that are left out", ["accounts", "transactions"], null, ["balances"]],
    [
      "them also beside a scope of the team's own",
      ["accounts", "payments"],
      null,
      ["balances", "transactions"],
    ],
    ["nothing if no usual scope is named", ["accounts:read", "transactions:read"], null, []],
    ["nothing for one scope of another vocabulary", ["read"], null, []],
    ["what the bank grants and the team leaves out", ["accounts"], ["accounts", "identity"], ["identity"]],
    ["everything of a grant of which the team uses nothing", [], ["accounts"], ["accounts"]],
  ])("is %s", (_what, scopes, grantedScopes, withheld) => {
    expect([...withheldScopes({ scopes, grantedScopes })]).toEqual(withheld);
  });
});

describe("isActiveAtBank", () => {
  it("lasts as long as the bank's grant, even if the team limits it to less", () => {
    const limited = consent({ grantedScopes: [], grantedUntil: later(10 * day) });
    expect(isActiveAtBank(limited, later(10 * day - 1))).toBe(true);
    expect(isActiveAtBank(limited, later(10 * day))).toBe(false);
    expect(isActiveAtBank(consent({ grantedScopes: [] }), later(9999 * day))).toBe(true);
  });

  it("ends with the team's limit if the bank sets none", () => {
    expect(isActiveAtBank(consent(), later(day - 1))).toBe(true);
    expect(isActiveAtBank(consent(), later(day))).toBe(false);
  });
});

describe("renewedExpiry", () => {
  const dateOf = (milliseconds: number | null) => (milliseconds === null ? null : later(milliseconds));
  /** Null is no expiry. */
  const until = (expiresAt: number | null, grantedUntil: number | null, renewed: number | null) => {
    const consentDates = { expiresAt: dateOf(expiresAt) ?? noExpiry, grantedUntil: dateOf(grantedUntil) };
    const expiry = renewedExpiry(consentDates, dateOf(renewed)).getTime();
    return expiry === noExpiry.getTime() ? null : expiry - now.getTime();
  };

  it("follows the bank's expiry unless the team set another", () => {
    expect(until(day, day, 90 * day)).toBe(90 * day);
    expect(until(90 * day, 90 * day, day)).toBe(day);
    expect(until(null, null, 90 * day)).toBe(90 * day);
    expect(until(day, day, null)).toBeNull();
  });

  it("keeps the team's limit, and is never later than the bank's expiry", () => {
    expect(until(day, 30 * day, 90 * day)).toBe(day);
    expect(until(20 * day, 30 * day, 10 * day)).toBe(10 * day);
    expect(until(day, null, 90 * day)).toBe(day);
    expect(until(90 * day, null, day)).toBe(day);
    expect(until(day, 30 * day, null)).toBe(day);
  });
});

describe("consentDeadline", () => {
  it.each([
    ["the expiry", {}, day],
    ["an earlier confirmation", { reconfirmBy: later(hour), disconnectAt: later(2 * hour) }, hour],
    ["an earlier disconnection", { reconfirmBy: later(3 * hour), disconnectAt: later(2 * hour) }, 2 * hour],
    ["the expiry before later dates", { reconfirmBy: later(2 * day), disconnectAt: later(3 * day) }, day],
  ])("is %s", (_what, dates, expected) => {
    expect(consentDeadline(consent(dates))).toEqual(later(expected));
  });
});

describe("dueWarning", () => {
  const due = (remaining: number, reminded: number | null = null) =>
    dueWarning(later(remaining), reminded, now);

  it("is due from 14, 7 and 1 days before the end", () => {
    const remaining = [14 * day + 1, 14 * day, 7 * day + 1, 7 * day, day + 1, day, 1, 0, -1];
    expect(remaining.map((one) => due(one))).toEqual([null, 14, 14, 7, 7, 1, 1, null, null]);
  });

  it("is due again if the last one was about an earlier deadline", () => {
    expect(due(10 * day, 1)).toBe(14);
    expect(due(6 * day, 1)).toBe(7);
  });

  it("is due once, and only the last of several missed ones", () => {
    expect(due(10 * day, 14)).toBeNull();
    expect(due(6 * day, 14)).toBe(7);
    expect(due(6 * day, 7)).toBeNull();
    expect(due(hour, 14)).toBe(1);
    expect(due(hour, 1)).toBeNull();
  });
});
