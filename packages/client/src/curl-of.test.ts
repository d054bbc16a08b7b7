import { describe, expect, it } from "vitest";
import { curlOf } from "./curl-of.ts";
import { readPaths } from "./generated/read-paths.ts";

const base = "https://purser.example.com/";

describe("curlOf", () => {
  it("puts fields of the path there, and sends the key as a header", () => {
    expect(curlOf(base, "organizations.get", { id: "org_1" }, "key_1")).toBe(
      'curl "https://purser.example.com/api/organizations/org_1" -H "x-api-key: key_1"',
    );
    // The path of the contract names it `id`.
    expect(curlOf(base, "cards.get", { organizationId: "org_1", cardId: "a/b" }, "key_1")).toBe(
      'curl "https://purser.example.com/api/cards/a%2Fb?organizationId=org_1" -H "x-api-key: key_1"',
    );
  });

  it("sends dates and lists as REST reads them", () => {
    const input = { organizationId: "org_1", types: ["card.created" as const, "card.updated" as const] };
    expect(curlOf(base, "events.list", input, "key_1")).toContain(
      "/api/events?organizationId=org_1&types=card.created&types=card.updated",
    );
    const days = { teamId: "org_1", from: new Date("2026-03-01"), to: undefined };
    expect(curlOf(base, "banking.transactions.list", days, "key_1")).toContain(
      '?teamId=org_1&from=2026-03-01T00%3A00%3A00.000Z"',
    );
    expect(curlOf(base, "me.get", undefined, "key_1")).toContain('/api/me" -H');
  });

  it("lets nothing out of its quotes", () => {
    expect(curlOf(base, "organizations.get", { id: '"; rm -rf $HOME `id` \\' }, '$(id)"`')).toBe(
      'curl "https://purser.example.com/api/organizations/%22%3B%20rm%20-rf%20%24HOME%20%60id%60%20%5C" -H "x-api-key: \\$(id)\\"\\`"',
    );
  });

  it("knows every read of REST", () => {
    expect(Object.keys(readPaths).length).toBeGreaterThan(30);
    expect(Object.values(readPaths).filter((path) => !path.startsWith("/api/"))).toEqual([]);
  });
});
