import { minute } from "@purser/core/testing";
import { describe, expect, it, vi } from "vitest";
import { hmacMatches, isTimely } from "./signature.ts";

describe("hmacMatches", () => {
  // RFC 4231, test case 2.
  const known = { keys: ["Jefe"], message: ["what do ya want ", "for nothing?"] };
  const hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

  it("agrees with the published test vector, in hex and base64", () => {
    expect(hmacMatches({ ...known, signatures: [hex], encoding: "hex" })).toBe(true);
    const base64 = Buffer.from(hex, "hex").toString("base64");
    expect(hmacMatches({ ...known, signatures: [base64], encoding: "base64" })).toBe(true);
  });

  it("rejects every other signature", () => {
    const wrong = ["", "5b", hex.slice(2), `${hex}00`, hex.replace("5b", "5c"), "not hex at all"];
    for (const signature of wrong)
      expect(hmacMatches({ ...known, signatures: [signature], encoding: "hex" })).toBe(false);
    for (const signatures of [[], wrong])
      expect(hmacMatches({ ...known, signatures, encoding: "hex" })).toBe(false);
    expect(hmacMatches({ ...known, keys: [], signatures: [hex], encoding: "hex" })).toBe(false);
  });

  it("hashes the message once per key, however many signatures a header has", () => {
    const message = [...known.message];
    const read = vi.spyOn(message, Symbol.iterator);
    const signatures = Array.from({ length: 500 }, () => "00".repeat(32));
    expect(hmacMatches({ keys: ["one", "other"], message, signatures, encoding: "hex" })).toBe(false);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("finds the matching pair among several keys and signatures", () => {
    const several = { ...known, keys: ["other", "Jefe"], signatures: ["00".repeat(32), hex] };
    expect(hmacMatches({ ...several, encoding: "hex" })).toBe(true);
  });
});

describe("isTimely", () => {
  it("allows five minutes on both sides, inclusive, and rejects an invalid date", () => {
    const now = new Date("2026-03-02T09:00:00.000Z");
    const at = (milliseconds: number) => new Date(now.getTime() + milliseconds);
    for (const offset of [0, 5 * minute, -5 * minute]) expect(isTimely(at(offset), now)).toBe(true);
    for (const offset of [5 * minute + 1, -5 * minute - 1]) expect(isTimely(at(offset), now)).toBe(false);
    expect(isTimely(new Date(Number.NaN), now)).toBe(false);
  });
});
