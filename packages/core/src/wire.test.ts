import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeWire, encodeWire } from "./wire.ts";

const instant = new Date("2026-03-01T00:00:00.000Z");
const overTheWire = (value: unknown): unknown => decodeWire(JSON.parse(JSON.stringify(encodeWire(value))));

/** Every JSON value, with dates among them, and texts that look like the wire's marks. */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.constantFrom(Number.NaN, Infinity, -Infinity, new Date(Number.NaN)),
    fc.string({ unit: "binary" }),
    fc.string().map((text) => `\u0001${text}`),
    fc.string().map((text) => `\u0001D${text}`),
    fc.constantFrom("NaN", "\u0001NNaN", "\u0001DInvalid Date", "\u0001\u0001NNaN"),
    fc.date({ noInvalidDate: true }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 5 }),
  ),
})).value;

describe("the wire format", () => {
  it("round-trips every value", () => {
    const unchanged = fc.property(values, (value) => {
      expect(overTheWire(value)).toEqual(value);
    });
    fc.assert(unchanged, { numRuns: 1000 });
  });

  it("tags the numbers that JSON would write as null", () => {
    expect(encodeWire([Number.NaN, Infinity, -Infinity, 0])).toEqual([
      "\u0001NNaN",
      "\u0001NInfinity",
      "\u0001N-Infinity",
      0,
    ]);
  });

  it.each(["1", "", "nan", "Infinity ", "1e999", "0x1"])("leaves the number %j a text", (number) => {
    expect(decodeWire(`\u0001N${number}`)).toBe(`\u0001N${number}`);
  });

  it("tags nothing else than these and dates", () => {
    expect(encodeWire({ at: instant, name: "Acme", amount: 1250, tags: ["a", null], open: true })).toEqual({
      at: "\u0001D2026-03-01T00:00:00.000Z",
      name: "Acme",
      amount: 1250,
      tags: ["a", null],
      open: true,
    });
  });

  it("leaves an untagged date a text", () => {
    expect(decodeWire("2026-03-01T00:00:00.000Z")).toBe("2026-03-01T00:00:00.000Z");
  });

  it("does not decode a text as a date because it looks like one", () => {
    const text = "\u0001D2026-03-01T00:00:00.000Z";
    expect(encodeWire(text)).toBe(`\u0001${text}`);
    expect(overTheWire(text)).toBe(text);
  });

  it("does not change its input", () => {
    const input = Object.freeze({ at: instant, list: Object.freeze([instant]) });
    encodeWire(input);
    expect(input).toEqual({ at: instant, list: [instant] });
  });

  it("copies only what holds something to encode", () => {
    const plain = { name: "Acme", tags: ["a", null], account: { open: true } };
    expect(encodeWire(plain)).toBe(plain);
    const page = [plain, { at: instant, account: plain.account }];
    const encoded = encodeWire(page) as typeof page;
    expect(encoded[0]).toBe(plain);
    expect(encoded[1]?.account).toBe(plain.account);
    expect(page[1]).toEqual({ at: instant, account: plain.account });
  });

  it("encodes a field named __proto__ as a field, not as a prototype", () => {
    const encoded = encodeWire(JSON.parse('{"__proto__":{"text":"\\u0001x"}}')) as object;
    expect(Object.getPrototypeOf(encoded)).toBe(Object.prototype);
    expect(Object.entries(encoded)).toEqual([["__proto__", { text: "\u0001\u0001x" }]]);
  });

  it("treats a field named __proto__ as a field, not as a prototype", () => {
    const decoded = decodeWire(
      JSON.parse('{"__proto__":{"isAdministrator":true,"text":"\\u0001\\u0001x"}}'),
    ) as object;
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    expect("isAdministrator" in decoded).toBe(false);
    expect(Object.entries(decoded)).toEqual([["__proto__", { isAdministrator: true, text: "\u0001x" }]]);
  });

  it("survives an input nested deeper than the call stack", () => {
    const depth = 200_000;
    let innermost = JSON.parse(
      `${"[".repeat(depth)}"\u0001D"${"]".repeat(depth)}`.replace("\u0001", "\\u0001"),
    ) as unknown;
    const decoded = decodeWire(innermost);
    innermost = decoded;
    for (let level = 0; level < depth; level += 1) innermost = (innermost as unknown[])[0];
    expect(innermost).toBe("\u0001D");
  });

  it.each([
    "2026-02-30T00:00:00.000Z",
    "2026-03-01",
    "1",
    "March 7, 2026",
    "2026-01-01T00:00:00.000",
    "nonsense",
  ])("leaves %s a text, which no contract accepts as a date", (iso) => {
    expect(decodeWire(`\u0001D${iso}`)).toBe(`\u0001D${iso}`);
  });
});
