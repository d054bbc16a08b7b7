import { accessibilityFaults } from "@purser/testing/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestConsole, sizes, startTestConsole } from "../testing/console.ts";
import { visitPages } from "../testing/visits.ts";

const isNightly = process.env["PURSER_PROFILE"] === "nightly";
/** Every page in each size and theme takes minutes. The suite looks at a few, as they are hardest to get right. */
const visited = isNightly
  ? { sizes: Object.keys(sizes) as (keyof typeof sizes)[], themes: ["light", "dark"] as const }
  : {
      sizes: ["phone"] as const,
      themes: ["dark"] as const,
      names: ["overview", "purchase", "policy", "developers-webhooks", "guest-checkout"],
    };

let console: TestConsole;
beforeAll(async () => (console = await startTestConsole()), 240_000);
afterAll(() => console?.close());

describe("every page", () => {
  it("passes axe, keeps the policy, and fits its window", { timeout: 900_000 }, async () => {
    const faults: string[] = [];
    await visitPages(console, {
      ...visited,
      async visit({ name, size, theme, page, violations }) {
        const tooWide = await page.evaluate<number>(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        const found = [...violations, ...(await accessibilityFaults(page))];
        if (tooWide > 0) found.push(`${tooWide} pixels wider than its window`);
        faults.push(...found.map((fault) => `${name} ${size} ${theme}: ${fault}`));
      },
    });
    expect(faults).toEqual([]);
  });
});
