import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KnownSource, classifySources, countryOfAccounts, matchAccounts } from "./rules.ts";

const known = (id: string, ...identityHashes: string[]) => ({ id, identityHashes });

describe("matchAccounts", () => {
  it("finds an account by any one of its identifiers", () => {
    expect(matchAccounts([["x", "b"]], [known("one", "a", "b"), known("two", "c")])).toEqual(["one"]);
  });

  it("finds nothing if no identifier matches, or there are none", () => {
    expect(matchAccounts([["x"], []], [known("one", "a"), known("two")])).toEqual([null, null]);
  });

  it("leaves an ambiguous match to a person", () => {
    expect(matchAccounts([["a", "b"]], [known("one", "a"), known("two", "b")])).toEqual([null]);
    expect(matchAccounts([["a"], ["a"]], [known("one", "a")])).toEqual([null, null]);
  });

  it("matches unambiguous accounts despite ambiguous ones", () => {
    const hashes = [["a"], ["a"], ["c"]];
    expect(matchAccounts(hashes, [known("one", "a"), known("two", "c")])).toEqual([null, null, "two"]);
  });

  it("matches each known account at most once, and only by a shared identifier", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(names, { maxLength: 5 }), fc.array(names, { maxLength: 5 }), (hashes, all) => {
        const accounts = all.map((identityHashes, index) => known(String(index), ...identityHashes));
        const matches = matchAccounts(hashes, accounts);
        const matched = matches.filter((id) => id !== null);
        expect(new Set(matched).size).toBe(matched.length);
        for (const [index, id] of matches.entries()) {
          if (id !== null) expect(all[Number(id)]!.some((hash) => hashes[index]!.includes(hash))).toBe(true);
        }
      }),
    );
  });
});

describe("classifySources", () => {
  const supersededAt = new Date("2026-03-02T09:00:00Z");
  const source = (overrides: Partial<KnownSource> = {}): KnownSource => ({
    externalId: "e1",
    accountId: "a1",
    supersededAt: null,
    owner: { connectionId: "mine", status: "ACTIVE" },
    ...overrides,
  });
  const elsewhere = (status: "ACTIVE" | "DISCONNECTED") =>
    source({ supersededAt, owner: { connectionId: "other", status } });
  const ownership = (sources: KnownSource[], externalIds = ["e1"]) =>
    Object.fromEntries(classifySources(externalIds, sources, "mine"));

  it("continues with the accounts that it owns, and starts with new ones", () => {
    expect(ownership([source()], ["e1", "e2"])).toEqual({ e1: "owned", e2: "adopted" });
  });

  it("skips an account while another connection in use feeds it", () => {
    expect(ownership([elsewhere("ACTIVE")])).toEqual({ e1: "skipped" });
    expect(ownership([elsewhere("DISCONNECTED")])).toEqual({ e1: "adopted" });
  });

  it("adopts an account that another of its own consents has owned since", () => {
    const mine = source({ externalId: "e2" });
    expect(ownership([source({ supersededAt }), mine])).toEqual({ e1: "adopted" });
  });

  it("feeds an account once even if the bank lists it twice", () => {
    const mine = source({ externalId: "e2" });
    expect(ownership([source({ supersededAt }), mine], ["e1", "e2"])).toEqual({ e1: "skipped", e2: "owned" });
  });
});

describe("countryOfAccounts", () => {
  it.each<[what: string, identifiers: string[][], country: string | null]>([
    ["an IBAN", [["iban:AT611904300234573201"]], "AT"],
    ["a British number and its IBAN", [["bacs:207461:12345678", "iban:GB33BUKB20201555555555"]], "GB"],
    ["a number in the United States", [["ach:021000021:1234"]], "US"],
    ["a number in Canada", [["eft:003:00012:1234567"]], "CA"],
    ["accounts of one country, also with a card without a number", [["iban:AT61"], [], ["iban:AT48"]], "AT"],
    ["accounts of two countries", [["iban:AT61"], ["iban:DE89"]], null],
    ["ids of the provider alone", [["plaid:at-1"], ["sandbox:1"]], null],
    ["text that is no IBAN", [["iban:1"], ["iban:"], ["iban:at61"]], null],
    ["no account", [], null],
  ])("reads %s", (_what, identifiers, country) => {
    expect(countryOfAccounts(identifiers.map((own) => ({ identifiers: own })))).toBe(country);
  });
});
