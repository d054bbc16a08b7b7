import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IdPrefix, firstIdAt, isId, newId, timeOfId } from "./id.ts";

const noon = new Date("2026-03-02T12:00:00.000Z");
const later = new Date("2026-03-02T12:00:00.001Z");

describe("newId", () => {
  it("is the prefix and the 26 base32 characters of a UUIDv7", () => {
    const uuid = uuidOf(newId("org", noon));
    expect(uuid).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(Number.parseInt(uuid.slice(0, 12), 16)).toBe(noon.getTime());
  });

  it("writes every bit where TypeID expects it", () => {
    // The example of the TypeID specification: 0188bac7-4afa-78aa-bc3b-bd1eef28d881.
    expect(uuidOf("org_01h2xcejqtf2nbrexx3vqjhp41")).toBe("0188bac74afa78aabc3bbd1eef28d881");
  });

  it("sorts identifiers as their instants sort", () => {
    const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        fc.pre(one.getTime() !== other.getTime());
        expect(newId("org", one) < newId("org", other)).toBe(one < other);
      }),
    );
  });

  it("keeps the order of identifiers created in one millisecond", () => {
    const ids = Array.from({ length: 50_000 }, () => newId("aud", noon));
    expect(ids.toSorted()).toEqual(ids);
    expect(newId("aud", later) > ids.at(-1)!).toBe(true);
  });

  it("never returns the same identifier twice, even if two clocks alternate", () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => newId("mem", index % 2 === 0 ? noon : later));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("refuses an instant before 1970, which a UUIDv7 cannot hold", () => {
    expect(() => newId("org", new Date(-1))).toThrow(RangeError);
  });
});

describe("firstIdAt", () => {
  it("separates identifiers created before an instant from those created at it or later", () => {
    const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, instant, (at, made) => {
        expect(newId("ctx", made) < firstIdAt("ctx", at)).toBe(made < at);
      }),
    );
  });

  it("is below every identifier for an instant before 1970", () => {
    expect(firstIdAt("ctx", new Date("0001-01-01")) < newId("ctx", new Date(0))).toBe(true);
  });
});

describe("timeOfId", () => {
  it("returns the instant of every identifier", () => {
    const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, (made) => {
        expect(timeOfId(newId("evt", made))).toEqual(made);
        expect(timeOfId(firstIdAt("user", made))).toEqual(made);
      }),
    );
  });
});

describe("isId", () => {
  it("accepts every generated identifier, with its own prefix only", () => {
    const id = newId("org", noon);
    expect(isId("org", id)).toBe(true);
    for (const other of ["mem", "inv", "user"] satisfies IdPrefix[]) expect(isId(other, id)).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["the prefix alone", "org_"],
    ["no prefix", "01h2xcejqtf2nbrexx3vqjhp41"],
    ["a character too few", "org_01h2xcejqtf2nbrexx3vqjhp4"],
    ["a character too many", "org_01h2xcejqtf2nbrexx3vqjhp411"],
    ["capital letters", "org_01H2XCEJQTF2NBREXX3VQJHP41"],
    ["a letter that base32 leaves out", "org_01h2xcejqtf2nbrexx3vqjhp4u"],
    ["more than 128 bits", "org_81h2xcejqtf2nbrexx3vqjhp41"],
    ["a line after it", "org_01h2xcejqtf2nbrexx3vqjhp41\n"],
    ["another prefix before it", "user_org_01h2xcejqtf2nbrexx3vqjhp41"],
  ])("refuses %s", (_what, text) => {
    expect(isId("org", text)).toBe(false);
  });
});

/** The 32 hexadecimal digits of the UUID inside an identifier, decoded by the alphabet of TypeID. */
function uuidOf(id: string): string {
  const bits = id
    .slice(id.indexOf("_") + 1)
    .split("")
    .map((character) => "0123456789abcdefghjkmnpqrstvwxyz".indexOf(character).toString(2).padStart(5, "0"))
    .join("");
  return BigInt(`0b${bits}`).toString(16).padStart(32, "0");
}
