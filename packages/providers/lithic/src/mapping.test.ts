import { describe, expect, it } from "vitest";
import { alpha2Of } from "./countries.ts";
import { Merchant, channelOf, resultOf } from "./mapping.ts";

describe("channelOf", () => {
  const channel = (signals: {
    terminal?: string;
    card?: string;
    pan?: string;
    cash?: number;
    category?: string;
  }) => {
    const { terminal = null, card = null, pan = null, cash = 0, category = "5814" } = signals;
    const pos = { terminal: { type: terminal }, entry_mode: { card, pan } };
    return channelOf({ pos, category, cash, amount: 5000 });
  };

  it.each([
    [{ terminal: "ATM", card: "PRESENT", pan: "ICC" }, "atm"],
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", category: "6011" }, "atm"],
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", cash: 5000 }, "atm"],
    // The acquirer's fee comes on top.
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", cash: 5300 }, "atm"],
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", cash: 2000 }, "in_store"],
    [{ card: "PRESENT", pan: "CONTACTLESS" }, "in_store"],
    [{ card: "PRESENT", pan: "ICC" }, "in_store"],
    [{ card: "PRESENT", pan: "MAGNETIC_STRIPE" }, "in_store"],
    [{ card: "PRESENT", pan: "ERROR_MAGNETIC_STRIPE" }, "in_store"],
    [{ card: "PRESENT", pan: "BAR_CODE" }, "in_store"],
    [{ card: "PRESENT", pan: "UNKNOWN" }, "in_store"],
    [{ card: "PRESENT" }, "in_store"],
    [{ card: "UNKNOWN", pan: "ICC" }, "in_store"],
    [{ card: "PREAUTHORIZED", pan: "CONTACTLESS" }, "in_store"],
    [{ pan: "MAGNETIC_STRIPE" }, "in_store"],
    [{ card: "NOT_PRESENT", pan: "ECOMMERCE" }, "online"],
    [{ card: "NOT_PRESENT", pan: "CONTACTLESS" }, "online"],
    [{ card: "NOT_PRESENT" }, "online"],
    [{ card: "PRESENT", pan: "ECOMMERCE" }, "online"],
    [{ card: "PRESENT", pan: "CREDENTIAL_ON_FILE" }, "online"],
    [{ card: "PRESENT", pan: "KEY_ENTERED" }, "online"],
    [{ card: "PRESENT", pan: "ERROR_KEYED" }, "online"],
    [{ card: "PRESENT", pan: "MANUAL" }, "online"],
    [{ card: "PRESENT", pan: "SECURE_CARDLESS" }, "online"],
    [{ terminal: "ECOMMERCE", card: "PRESENT", pan: "ICC" }, "online"],
    [{ card: "UNKNOWN", pan: "UNKNOWN" }, "online"],
    [{ card: "UNKNOWN", pan: "OCR" }, "online"],
    [{}, "online"],
  ])("takes %j for %s", (signals, expected) => {
    expect(channel(signals)).toBe(expected);
  });

  it.each([null, undefined, {}, { entry_mode: null, terminal: null }])("takes %j for online", (pos) => {
    const told = pos as Parameters<typeof channelOf>[0]["pos"];
    expect(channelOf({ pos: told, category: null, cash: 0, amount: 0 })).toBe("online");
  });
});

describe("resultOf", () => {
  it.each([
    ["card_closed", "CARD_PAUSED"],
    ["card_frozen", "CARD_PAUSED"],
    ["card_paused", "CARD_PAUSED"],
    ["card_expired", "CARD_PAUSED"],
    ["currency_not_supported", "UNAUTHORIZED_MERCHANT"],
    ["policy_not_started", "CARD_PAUSED"],
    ["policy_expired", "CARD_PAUSED"],
    ["day_not_allowed", "CARD_PAUSED"],
    ["atm_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["online_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["international_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["merchant_category_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["merchant_blocked", "UNAUTHORIZED_MERCHANT"],
    ["transaction_limit_exceeded", "INSUFFICIENT_FUNDS"],
    ["daily_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["weekly_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["monthly_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["decision_timed_out", "CARD_PAUSED"],
    ["a_reason_of_tomorrow", "CARD_PAUSED"],
    [null, "CARD_PAUSED"],
  ])("is for %s %s", (reason, result) => {
    expect(resultOf(reason)).toBe(result);
  });
});

describe("Merchant", () => {
  it("is told by descriptor, acceptor id, category and country", () => {
    const told = {
      descriptor: "CORNER COFFEE",
      acceptor_id: "XRKGDPOWEWQRRWU ",
      mcc: "5814",
      country: "GBR",
    };
    expect(Merchant.parse(told)).toEqual({
      name: "CORNER COFFEE",
      id: "XRKGDPOWEWQRRWU",
      category: "5814",
      country: "GB",
    });
  });

  it("may tell nothing", () => {
    expect(Merchant.parse({})).toEqual({ name: "Unknown merchant", id: null, category: null, country: null });
  });
});

describe("alpha2Of", () => {
  it.each([
    ["USA", "US"],
    ["GBR", "GB"],
    [" gbr ", "GB"],
    ["AUT", "AT"],
    ["AUS", "AU"],
    ["CHE", "CH"],
    ["CHN", "CN"],
    ["IRL", "IE"],
    ["PRK", "KP"],
    ["KOR", "KR"],
    ["SVK", "SK"],
    ["SVN", "SI"],
    ["COM", "KM"],
    ["SRB", "RS"],
    ["ESH", "EH"],
    ["QZZ", "XK"],
    ["ANT", "AN"],
    ["GB", null],
    ["XXX", null],
    ["", null],
    [null, null],
    [undefined, null],
  ])("is of %j %j", (alpha3, alpha2) => {
    expect(alpha2Of(alpha3)).toBe(alpha2);
  });

  it("knows every country of ISO 3166-1, each by one code", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const known = codes.map(alpha2Of).filter((code) => code !== null && !["XK", "AN"].includes(code));
    expect(known).toHaveLength(249);
    // What the standard assigns, as far as the names of regions tell, without groups of countries and what has ended.
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    const unassigned = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ".split(" "));
    const assigned = letters
      .flatMap((a) => letters.map((b) => a + b))
      .filter((code) => names.of(code) !== undefined && !unassigned.has(code))
      .filter((code) => new Intl.Locale(`und-${code}`).region === code);
    expect(new Set(known)).toEqual(new Set(assigned));
  });
});
