import { describe, expect, it } from "vitest";
import { alpha2Of } from "./countries.ts";

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
  ])("maps %j to %j", (alpha3, alpha2) => {
    expect(alpha2Of(alpha3)).toBe(alpha2);
  });

  it("maps every country of ISO 3166-1 to one code", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const known = codes.map(alpha2Of).filter((code) => code !== null && !["XK", "AN"].includes(code));
    expect(known).toHaveLength(249);
    // The assigned codes: those that Intl names, without country groups and former countries.
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    const unassigned = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ".split(" "));
    const assigned = letters
      .flatMap((a) => letters.map((b) => a + b))
      .filter((code) => names.of(code) !== undefined && !unassigned.has(code))
      .filter((code) => new Intl.Locale(`und-${code}`).region === code);
    expect(new Set(known)).toEqual(new Set(assigned));
  });
});
