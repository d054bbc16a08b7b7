import { isNightly } from "@purser/testing";
import { accessibilityFaults } from "@purser/testing/browser";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sizes } from "../console.ts";
import { it, nightlySizes } from "../journey.ts";
import { settled, visitPages } from "../visits.ts";

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
        const found = [...violations, ...(await accessibilityFaults(page))];
        const tooWide = await widthBeyondWindow(page);
        if (tooWide > 0) found.push(`${tooWide} pixels wider than its window`);
        faults.push(...found.map((fault) => `${name} ${size} ${theme}: ${fault}`));
      },
    });
    expect(faults).toEqual([]);
  });

  it.for(nightlySizes)("shows the balance of a day that is tapped (%s)", async (size, { console, open }) => {
    const { owner } = console.demo;
    const page = await open(`/${owner.organizationId}`, { user: owner, size, hasTouch: true });
    const plot = page.getByRole("img", { name: /^The balance in GBP/ });
    await plot.tap();
    await plot.getByText(/\d{4}: £/).waitFor();
  });

  it("has no navigation on a phone while that is closed", async ({ console, open }) => {
    const { owner } = console.demo;
    const page = await open(`/${owner.organizationId}/policies`, { user: owner, size: "phone" });
    await settled(page);
    const navigation = page.getByRole("navigation", { name: "Pages" });
    await navigation.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Navigation" }).click();
    await navigation.getByRole("link", { name: "Cards" }).click();
    await page.getByRole("heading", { level: 1, name: "Cards" }).waitFor();
    await navigation.waitFor({ state: "hidden" });
  });

  it("fits its window where names are one long word", async ({ console, open }) => {
    const name = "Donaudampfschifffahrtsgesellschaft".repeat(2);
    const user = await console.newOrganization(name);
    const { organizationId, purser } = user;
    const { id } = await purser.cards.policies.create({ organizationId, name, description: name });
    for (const path of ["", `/policies/${id}`, "/team?tab=organization"]) {
      const page = await open(`/${organizationId}${path}`, { user, size: "phone" });
      await settled(page);
      expect(await widthBeyondWindow(page), path).toBe(0);
    }
  });
}

/** By how many pixels a page is wider than its window. */
const widthBeyondWindow = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
