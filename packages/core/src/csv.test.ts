import { describe, expect, it } from "vitest";
import { z } from "zod";
import { csvCell, csvColumns } from "./csv.ts";

describe("csvCell", () => {
  it.each([
    [null, ""],
    [-6200, "-6200"],
    [new Date("2026-03-01T00:00:00.000Z"), "2026-03-01T00:00:00.000Z"],
    ["plain text", "plain text"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["=1+1", "'=1+1"],
    ["+44", "'+44"],
    ["-5", "'-5"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    ["\r=x", '"\'\r=x"'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ["a=b", "a=b"],
    ["", ""],
  ])("writes %j", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});

describe("csvColumns", () => {
  const columns = csvColumns(
    z.object({
      amount: z.int(),
      currency: z.string(),
      account: z.object({ id: z.string(), bank: z.object({ name: z.string().nullable() }) }),
    }),
  );
  const account = { id: "a", bank: { name: null } };

  it("has a column for each field, nested ones joined by a dot, and decimals beside an amount", () => {
    expect(columns.map(({ name }) => name)).toEqual([
      "amount",
      "amountDecimal",
      "currency",
      "account.id",
      "account.bank.name",
    ]);
  });

  it.each([
    [1250, "GBP", "12.50"],
    [-5, "GBP", "-0.05"],
    [1250, "JPY", "1250"],
    [1, "KWD", "0.001"],
    [9_007_199_254_740_991, "EUR", "90071992547409.91"],
  ])("writes %d %s as %s", (amount, currency, decimal) => {
    const cells = columns.map(({ read }) => csvCell(read({ amount, currency, account })));
    expect(cells).toEqual([String(amount), decimal, currency, "a", ""]);
  });
});
