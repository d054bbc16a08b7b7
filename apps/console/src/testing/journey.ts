import { setTimeout as sleep } from "node:timers/promises";
import { isNightly } from "@purser/testing";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { type OpenOptions, type OpenedPage, type TestUser, startTestConsole } from "./console.ts";

/** The sizes of a journey of the suite: on a phone, too, in the nightly profile. */
export const journeySizes: readonly ("desktop" | "phone")[] = isNightly ? ["desktop", "phone"] : ["desktop"];
/** The sizes of a journey that only the nightly profile makes. */
export const nightlySizes: readonly ("desktop" | "phone")[] = isNightly ? ["desktop", "phone"] : [];

interface JourneyOptions extends OpenOptions {
  /** For what happens elsewhere: waits until the page hears of events. Tabs of one context share a stream, so it has its own. */
  isLive?: boolean;
}

/**
 * `it` for journeys. All of a file share one console, which starts with the first. After each, its pages are closed, and
 * must have kept the policy. In the suite they run concurrently: one that leaves the demo's data changed needs an
 * organization of its own, and one that takes its context offline needs `ownContext`. `expect.poll` does not know its test
 * among several: they wait by locators and `vi.waitUntil`.
 *
 * ```ts
 * it.for(journeySizes)("sees their cards (%s)", async (size, { console, open }) => {
 *   const user = await console.newOrganization("Cards");
 *   const page = await open(`/${user.organizationId}/cards`, { user, size });
 * });
 * ```
 */
export const it = test
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs.
  .extend("console", { scope: "file" }, async ({}, { onCleanup }) => {
    const console = await startTestConsole();
    onCleanup(() => console.close());
    return console;
  })
  .extend("open", ({ console }, { onCleanup }) => {
    const opened: OpenedPage[] = [];
    onCleanup(async () => {
      await Promise.all(opened.map(({ page }) => page.close()));
      expect(opened.flatMap(({ violations }) => violations)).toEqual([]);
    });
    return async (path: string, { isLive = false, ...options }: JourneyOptions = {}): Promise<Page> => {
      if (isLive) options.ownContext = true;
      const one = await console.open(isLive ? "/assets/purser.svg" : path, options);
      opened.push(one);
      const { page } = one;
      if (isLive)
        await Promise.all([page.waitForResponse(/events[./]stream/), page.goto(console.base + path)]);
      return page;
    };
  });

type Purchase = Parameters<TestUser["purser"]["sandbox"]["cards"]["authorize"]>[0];

/** Buys with a card, again if the decision came too late for the network, as it may on a busy machine. */
export async function buy({ sandbox }: TestUser["purser"], purchase: Purchase) {
  for (;;) {
    const bought = await sandbox.cards.authorize(purchase);
    if (bought.declineReason !== "decision_timed_out") return bought;
    // An approval that was stored after all is taken back meanwhile.
    await sleep(2000);
  }
}

/** Chooses an option of a select. */
export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).first().click();
}

/** Presses a button of a dialog. A dialog takes the focus a moment after it opens, so from a button that has it by then. */
export async function pressIn(dialog: Locator, button: string): Promise<void> {
  await untilFocused(dialog);
  await dialog.getByRole("button", { name: button, exact: true }).press("Enter");
}

/** Waits until a dialog has the focus. From then on it has the keys, Escape too. */
export const untilFocused = (dialog: Locator): Promise<void> => dialog.locator(":focus").waitFor();

/** Holds the answers to calls until they are let through. */
export async function hold(page: Page, calls: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(calls, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
