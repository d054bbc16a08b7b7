import { describe, expect, it } from "vitest";
import { csvUrl } from "./csv-url.ts";

describe("csvUrl", () => {
  it("names the filters, and leaves out what does not apply to a file", () => {
    const input = {
      teamId: "org_1",
      from: new Date("2026-03-01"),
      query: "café & bar",
      minAmount: 0,
      type: undefined,
      limit: 200,
      after: "btx_1",
    };
    expect(csvUrl("https://purser.example.com/", "banking.transactions.list", input)).toBe(
      "https://purser.example.com/api/banking/transactions.csv" +
        "?teamId=org_1&from=2026-03-01T00%3A00%3A00.000Z&query=caf%C3%A9+%26+bar&minAmount=0",
    );
  });

  it("leaves an invalid date to the service, which refuses it", () => {
    const input = { teamId: "org_1", from: new Date(Number.NaN) };
    expect(csvUrl("https://purser.example.com/", "banking.transactions.list", input)).toBe(
      "https://purser.example.com/api/banking/transactions.csv?teamId=org_1&from=Invalid+Date",
    );
  });
});
