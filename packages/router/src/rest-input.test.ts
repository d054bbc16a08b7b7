import { Problem } from "@purser/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromJson, fromText } from "./rest-input.ts";

const day = new Date("2026-03-01T00:00:00.000Z");
const endOfDay = new Date("2026-03-01T23:59:59.999Z");

const Filter = z.strictObject({
  name: z.string().optional(),
  limit: z.int().default(50),
  amount: z.number().nullable().optional(),
  active: z.boolean().optional(),
  from: z.date().optional(),
  to: z.date().optional().meta({ endOfDay: true }),
  until: z.date().meta({ endOfDay: true }).nullable().optional(),
  at: z
    .date()
    .transform((date) => date.getTime())
    .optional(),
  tags: z.array(z.string()).optional(),
  amounts: z.array(z.int()).optional(),
  days: z.array(z.date()).optional(),
});

const readQuery = fromText(Filter);
const query = (text: string) => readQuery(new URLSearchParams(text));
function issuesOfQuery(text: string) {
  try {
    query(text);
  } catch (error) {
    if (error instanceof Problem) return error.issues;
    throw error;
  }
  return [];
}

describe("a query string", () => {
  it.each([
    ["a string, even one that looks like a number", "name=5", { name: "5" }],
    ["an empty string", "name=", { name: "" }],
    ["an encoded string", "name=A%20%26+B", { name: "A & B" }],
    ["an integer", "limit=50", { limit: 50 }],
    ["a negative integer", "amount=-1250", { amount: -1250 }],
    ["the largest safe integer", "amount=9007199254740991", { amount: Number.MAX_SAFE_INTEGER }],
    ["true", "active=true", { active: true }],
    ["false", "active=false", { active: false }],
    ["a day as its start", "from=2026-03-01", { from: day }],
    ["a day as its end, if the field declares endOfDay", "to=2026-03-01", { to: endOfDay }],
    ["a day as its end, even inside wrappers", "until=2026-03-01", { until: endOfDay }],
    ["an instant as itself, even in a `to` field", "to=2026-03-01T00:00:00Z", { to: day }],
    ["a date inside a transformation", "at=2026-03-01", { at: day }],
    ["one item of a list", "tags=a", { tags: ["a"] }],
    ["several items of a list", "tags=a&tags=b", { tags: ["a", "b"] }],
    [
      "the items of a list by their type",
      "amounts=1&amounts=x&days=2026-03-01",
      { amounts: [1, "x"], days: [day] },
    ],
    ["an unknown field", "limt=5", { limt: "5" }],
    ["nothing", "", {}],
  ])("reads %s", (_what, text, input) => {
    expect(query(text)).toEqual(input);
  });

  it.each([
    ["a fraction", "amount", "1.5"],
    ["an exponent", "amount", "1e3"],
    ["a hexadecimal number", "amount", "0x10"],
    ["a number with a space", "amount", " 5"],
    ["an empty number", "limit", ""],
    ["Infinity", "amount", "Infinity"],
    ["more digits than a number holds", "amount", "12345678901234567"],
    ["a yes", "active", "yes"],
    ["a 1 for true", "active", "1"],
    ["TRUE in capitals", "active", "TRUE"],
    ["an empty date", "from", ""],
    ["tomorrow", "from", "tomorrow"],
    ["a day that does not exist", "from", "2026-02-30"],
    ["an instant on such a day", "from", "2026-02-29T12:00:00Z"],
    ["a month that does not exist", "from", "2026-13-01"],
    ["an instant without an offset", "from", "2026-03-01T12:00:00"],
    ["an instant without seconds", "from", "2026-03-01T12:00Z"],
    ["hour 24", "from", "2026-03-01T24:00:00Z"],
    ["minute 60", "from", "2026-03-01T12:60:00Z"],
    ["a leap second", "from", "2016-12-31T23:59:60Z"],
    ["an offset that does not exist", "from", "2026-03-01T12:00:00+25:00"],
    ["a space in place of the T", "from", "2026-03-01 12:00:00Z"],
    ["a year of five digits", "from", "12026-03-01"],
    ["milliseconds since 1970", "from", "1772323200000"],
    ["an American date", "from", "03/01/2026"],
  ])("passes %s on unchanged, and the contract refuses it", (_what, field, text) => {
    const input = readQuery(new URLSearchParams({ [field]: text }));
    expect(input).toEqual({ [field]: text });
    expect(Filter.safeParse(input).error?.issues).toMatchObject([{ path: [field] }]);
  });

  it.each(["name=a&name=b", "limit=1&limit=1", "active=true&active=true", "from=2026-03-01&from=2026-03-01"])(
    "refuses %s: a field of one value may be given only once",
    (text) => {
      const [name] = text.split("=");
      const issue = { path: [name], code: "repeated", message: "Must be given only once" };
      expect(issuesOfQuery(text)).toEqual([issue]);
    },
  );

  it("names every repeated field, and leaves an unknown one to the contract", () => {
    expect(issuesOfQuery("name=a&limit=1&name=b&limit=2&limt=1&limt=2")).toMatchObject([
      { path: ["name"] },
      { path: ["limit"] },
    ]);
    expect(query("limt=1&limt=2")).toEqual({ limt: ["1", "2"] });
  });

  it("keeps fields that are named like properties of Object.prototype", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const input = query(`${name}=x`);
      expect(Object.keys(input)).toEqual([name]);
      expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
      expect(Filter.safeParse(input).success).toBe(false);
    }
  });
});

describe("a date-time", () => {
  it.each([
    ["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.000Z"],
    ["2026-03-01t00:00:00z", "2026-03-01T00:00:00.000Z"],
    ["2026-03-01T00:00:00.5Z", "2026-03-01T00:00:00.500Z"],
    ["2026-03-01T00:00:00.123456789Z", "2026-03-01T00:00:00.123Z"],
    ["2026-03-01T01:30:00+05:30", "2026-02-28T20:00:00.000Z"],
    ["2026-02-28T23:00:00-01:00", "2026-03-01T00:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(query(`from=${encodeURIComponent(text)}`)).toEqual({ from: new Date(instant) });
  });
});

const Draft = z.strictObject({
  name: z.string(),
  amount: z.number(),
  activeFrom: z.date().nullable().optional(),
  activeTo: z.date().optional().meta({ endOfDay: true }),
  periods: z.array(z.strictObject({ start: z.date(), label: z.string() })).optional(),
  nested: z.object({ at: z.date().optional() }).optional(),
});

const readBody = fromJson(Draft);

describe("a JSON body", () => {
  it("converts strings to dates where the contract has dates, at any depth", () => {
    expect(
      readBody({
        name: "2026-03-01",
        amount: 5,
        activeFrom: "2026-03-01",
        activeTo: "2026-03-01",
        periods: [{ start: "2026-03-01T00:00:00Z", label: "2026-03-01" }],
        nested: { at: "2026-03-01" },
      }),
    ).toEqual({
      name: "2026-03-01",
      amount: 5,
      activeFrom: day,
      activeTo: endOfDay,
      periods: [{ start: day, label: "2026-03-01" }],
      nested: { at: day },
    });
  });

  it("converts nothing else, because JSON has numbers and booleans", () => {
    const body = { name: 5, amount: "5", activeFrom: 1_772_323_200_000, periods: "none", nested: null };
    expect(readBody(body)).toEqual(body);
    expect(Draft.safeParse(readBody({ name: "a", amount: "5" })).success).toBe(false);
  });

  it("distinguishes null from an absent field", () => {
    expect(readBody({ activeFrom: null })).toEqual({ activeFrom: null });
    expect(Object.keys(readBody({ name: "a" }) as object)).toEqual(["name"]);
  });

  it.each([null, 5, "text", true, [[]], [{ name: "a" }]])("passes on %j, which is not an object", (body) => {
    expect(readBody(body)).toBe(body);
  });

  it("does not modify its argument, and keeps unknown fields", () => {
    const body = Object.freeze({ activeFrom: "2026-03-01", actveTo: "2026-03-01" });
    expect(readBody(body)).toEqual({ activeFrom: day, actveTo: "2026-03-01" });
    expect(body.activeFrom).toBe("2026-03-01");
  });

  it("does not change the contract, which still refuses strings", () => {
    expect(Draft.safeParse({ name: "a", amount: 5, activeFrom: "2026-03-01" }).success).toBe(false);
    expect(Filter.safeParse({ limit: "5" }).success).toBe(false);
  });
});
