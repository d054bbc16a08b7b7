import { isNightly } from "@purser/testing";
import { accessibilityFaults } from "@purser/testing/browser";
import { expect } from "vitest";
import { sizes } from "../console.ts";
import { it } from "../journey.ts";
import { visitPages } from "../visits.ts";

/** Every page in each size and theme takes minutes. The suite looks at a few, as they are hardest to get right. */
const visited = isNightly
  ? { sizes: Object.keys(sizes) as (keyof typeof sizes)[], themes: ["light", "dark"] as const }
  : {
      sizes: ["phone"] as const,
      themes: ["dark"] as const,
      names: ["overview", "purchase", "policy", "developers-webhooks", "guest-checkout"],
    };

export function visitsOfPages(): void {
  it("passes axe, keeps the policy, and fits its window", { timeout: 900_000 }, async ({ console }) => {
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
}
