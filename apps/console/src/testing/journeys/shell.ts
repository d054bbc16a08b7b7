import { accessibilityFaults } from "@purser/testing/browser";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { TestConsole } from "../console.ts";
import { it, nightlySizes, journeySizes, untilFocused } from "../journey.ts";

/** The script of the first page, and what each further page may add, in bytes as they are sent. */
const budget = { first: 200_000, further: 60_000 };

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Buys something with a card of the demo, as a terminal elsewhere does. */
async function buyElsewhere({ demo: { owner } }: TestConsole, merchant: string): Promise<void> {
  const { purser, organizationId } = owner;
  // The oldest is the demo's; the newer ones belong to other journeys.
  const card = (await purser.cards.list({ organizationId, status: "ACTIVE" })).at(-1);
  await purser.sandbox.cards.authorize({
    organizationId,
    cardId: card!.id,
    amount: 123,
    currency: "GBP",
    merchant: { name: merchant },
    channel: "in_store",
  });
}

export function shellJourneys(): void {
  it.for(journeySizes)(
    "shows a purchase that happens elsewhere, also one while the browser is offline (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const page = await open(`/${owner.organizationId}`, { user: owner, size, isLive: true });
      const activity = page.getByRole("region", { name: "Newest activity" });
      await activity.getByRole("listitem").first().waitFor();
      await buyElsewhere(console, `Street Market ${size}`);
      await activity.getByText(`Street Market ${size}`).waitFor();
      await page.context().setOffline(true);
      await buyElsewhere(console, `Harbor Flowers ${size}`);
      await page.context().setOffline(false);
      await activity.getByText(`Harbor Flowers ${size}`).waitFor();
      expect(await activity.getByText(`Street Market ${size}`).isVisible()).toBe(true);
    },
  );

  it(`stays within ${budget.first / 1000} kB of script at first, and ${budget.further / 1000} kB for each further page`, async ({
    console,
    open,
  }) => {
    const { owner } = console.demo;
    const page = await open("/assets/purser.svg", { user: owner });
    const files = new Map<string, number>();
    page.on("response", (response) => {
      const { "content-length": length, "content-encoding": encoding } = response.headers();
      if (response.url().endsWith(".js"))
        files.set(response.url(), encoding === "gzip" ? Infinity : Number(length));
    });
    const bytes = () => [...files.values()].reduce((sum, length) => sum + length, 0);
    await page.goto(`${console.base}/${owner.organizationId}`);
    await heading(page, "Overview");
    await page.getByRole("heading", { name: "Newest activity" }).waitFor();
    await page.getByRole("img", { name: /^The balance in/ }).waitFor();
    expect(bytes()).toBeGreaterThan(100_000);
    expect(bytes(), [...files].join("\n")).toBeLessThanOrEqual(budget.first);
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    for (const name of await links.allTextContents()) {
      files.clear();
      await links.filter({ hasText: name }).click();
      await heading(page, name);
      expect(bytes(), name).toBeLessThanOrEqual(budget.further);
    }
  });

  it("is sent compressed and kept for a year, and the page itself is not", async ({ console: { base } }) => {
    const answer = await fetch(`${base}/welcome`);
    const html = await answer.text();
    const [, src] = /<script[^>]* src="([^"]+)"/.exec(html) ?? [];
    const ask = async (encoding: string) =>
      Object.fromEntries((await fetch(base + src, { headers: { "accept-encoding": encoding } })).headers);
    for (const encoding of ["br", "gzip"])
      expect(await ask(encoding)).toMatchObject({
        "content-encoding": encoding,
        "cache-control": "public, max-age=31536000, immutable",
        vary: expect.stringContaining("Accept-Encoding"),
      });
    expect(await ask("identity")).not.toHaveProperty("content-encoding");
    const policy = answer.headers.get("content-security-policy") ?? "";
    const [, nonce] = /<meta name="style-nonce" content="([^"]+)"/.exec(html) ?? [];
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    // Logos of banks and pictures of people are elsewhere. Scripts never are.
    expect(policy).toContain("img-src 'self' data: https:;");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await fetch(`${base}/console/none.js`)).status).toBe(404);
  });

  it("moves no dialog for people who ask their system for less motion", async ({ console, open }) => {
    const { owner } = console.demo;
    const page = await open(`/${owner.organizationId}/team`, { user: owner });
    await page.evaluate(`window.moves = 0;
      addEventListener("transitionrun", ({ target }) => (moves += Number(target.matches("[role=dialog]"))));`);
    const movesOfDialog = async (begun: string) => {
      await page.getByRole("button", { name: "Invite a person" }).click();
      const dialog = page.getByRole("dialog", { name: "Invite a person" });
      await untilFocused(dialog);
      // Escape before the first frame of its motion would end that unseen.
      await page.waitForFunction(begun);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      return page.evaluate("moves");
    };
    expect(await movesOfDialog("true")).toBe(0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await movesOfDialog("moves > 0")).toBeGreaterThan(0);
  });

  manyTabs();
  lostConnection();
  twoOrganizations();
  commandsAndGuests();
}

function manyTabs(): void {
  // Over HTTP/1.1 a browser has six connections to a host.
  it.for(nightlySizes)(
    "is live in more tabs than the browser has connections (%s)",
    async (size, { console, open }) => {
      const owner = await console.newOrganization("Many tabs");
      const { organizationId, purser } = owner;
      const invite = (email: string) =>
        purser.organizations.invitations.create({ organizationId, email, role: "MEMBER" });
      const path = `/${organizationId}/team?tab=invitations`;
      const first = await open(path, { user: owner, size, ownContext: true });
      await first.getByText("Nobody is invited").waitFor();
      const others: Page[] = [];
      for (let opened = 0; opened < 7; opened += 1) {
        const tab = await first.context().newPage();
        others.push(tab);
        await tab.goto(console.base + path);
        await tab.getByText("Nobody is invited").waitFor();
      }
      await invite("first@example.com");
      for (const tab of [first, ...others]) await tab.getByText("first@example.com").waitFor();
      // The stream was that of the first tab.
      await first.close();
      await invite("second@example.com");
      for (const tab of others) await tab.getByText("second@example.com").waitFor();
    },
  );
}

const stream = /events[./]stream/;
/** The refusal of a stream, for example after a long sleep of the computer. */
const expiredCursor = refusal(410, "CURSOR_EXPIRED");

function refusal(status: number, code: string) {
  const problem = { status, code, detail: code, requestId: "req_1", retryable: false };
  return { status, contentType: "application/json", body: JSON.stringify({ error: { data: { problem } } }) };
}

function lostConnection(): void {
  // The stream ends after its first message, has never begun, or is refused, which the client does not retry. Then no
  // attempt reaches the service.
  it.for(
    nightlySizes.flatMap((size) => [
      { size, begins: "ends" },
      { size, begins: "does not begin" },
      { size, begins: "is refused" },
    ]),
  )(
    "says that live events are missing, until they are back and nothing is lost: a stream that $begins ($size)",
    async ({ size, begins }, { console, open }) => {
      const { owner } = console.demo;
      const page = await open("/assets/purser.svg", { user: owner, size });
      const shop = `Garden Tools, ${begins}, ${size}`;
      await page.route(stream, (route) =>
        begins === "is refused" ? route.fulfill(expiredCursor) : route.abort("connectionrefused"),
      );
      if (begins === "ends") {
        const response = { contentType: "text/event-stream", body: "retry: 1000\n\n" };
        await page.route(stream, (route) => route.fulfill(response), { times: 1 });
      }
      await page.goto(`${console.base}/${owner.organizationId}`);
      const activity = page.getByRole("region", { name: "Newest activity" });
      await activity.getByRole("listitem").first().waitFor();
      const notice = page.getByRole("status").filter({ hasText: "The connection is lost" });
      await notice.waitFor();
      await buyElsewhere(console, shop);
      expect(await activity.getByText(shop).count()).toBe(0);
      await page.unroute(stream);
      await notice.waitFor({ state: "detached" });
      await activity.getByText(shop).waitFor();
      // From here on, events arrive again.
      await buyElsewhere(console, `Later at ${shop}`);
      await activity.getByText(`Later at ${shop}`).waitFor();
    },
  );
}

function twoOrganizations(): void {
  it.for(nightlySizes)(
    "shows what others have changed while another organization was open (%s)",
    async (size, { console, open }) => {
      const [first, second] = [await console.newUser(`First, ${size}`), `Second, ${size}`];
      const { organizationId, purser } = first;
      const { id: otherId } = await purser.organizations.create({ name: second });
      const policy = { organizationId, name: "Travel" };
      const { id: policyId } = await purser.cards.policies.create(policy);
      const page = await open(`/${organizationId}/policies`, { user: first, size });
      await page.getByRole("row").filter({ hasText: "Travel" }).waitFor();
      const switchTo = async (name: string) => {
        if (size === "phone") await page.getByRole("button", { name: "Navigation" }).click();
        await page.getByRole("button", { description: "Switch to another organization" }).click();
        await page.getByRole("menuitem", { name }).click();
      };
      await switchTo(second);
      await page.waitForURL(`**/${otherId}`);
      await heading(page, "Overview");
      await purser.cards.policies.update({ organizationId, policyId, name: "Trips" });
      await switchTo(`First, ${size}`);
      await page.waitForURL(`**/${organizationId}`);
      if (size === "phone") await page.getByRole("button", { name: "Navigation" }).click();
      await page.getByRole("link", { name: "Policies" }).click();
      await page.getByRole("row").filter({ hasText: "Trips" }).waitFor();
    },
  );
}

function commandsAndGuests(): void {
  it.for(nightlySizes)(
    "finds a card, a policy, a person, an account, and a page by what it is about (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const cards = await purser.cards.list({ organizationId });
      const card = cards.find(({ nickname }) => nickname !== null)!;
      const [policy] = await purser.cards.policies.list({ organizationId });
      const [account] = await purser.banking.accounts.list({ teamId: organizationId });
      const page = await open(`/${organizationId}`, { user: owner, size });
      await page.getByRole("button", { name: "Search cards, people" }).click();
      const field = page.getByPlaceholder("Search cards, policies");
      for (const [written, found] of [
        [policy!.name, policy!.name],
        ["Demo Member", "Demo Member"],
        [account!.accountName, account!.accountName],
        ["consent", "Accounts"],
        ["declined", "Cards"],
        ["webhook", "Developers"],
        ["invoice", "Billing"],
      ] as const) {
        await field.fill(written);
        await page.getByRole("dialog").getByRole("button", { name: found }).first().waitFor();
      }
      await field.fill(card.lastFour);
      await page.getByRole("dialog").getByRole("button", { name: card.nickname! }).click();
      await page.waitForURL(`**/cards/${card.id}`);
    },
  );

  it.for(nightlySizes)(
    "moves by the command palette, and signs out to the start page (%s)",
    async (size, { console, open }) => {
      const user = await console.newUser("Commands");
      const page = await open("/", { user, size });
      await heading(page, "Overview");
      await page.keyboard.press("Control+K");
      await page.getByPlaceholder("Search cards, policies").fill("transact");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await heading(page, "Transactions");
      const alert = page.getByRole("alert");
      const you = page.getByRole("button", { name: "You and the theme" });
      const code = /console\/user-menu/;
      await page.route(code, (route) => route.abort("connectionrefused"));
      await you.click();
      await alert.filter({ hasText: "This could not be loaded" }).waitFor();
      await page.unroute(code);
      await page.reload();
      await you.click();
      const signOut = page.getByRole("menuitem", { name: "Sign out" });
      await page.route("**/sign-out", (route) => route.abort("connectionrefused"));
      await signOut.click();
      await alert.filter({ hasText: "You are still signed in" }).waitFor();
      await page.unroute("**/sign-out");
      await you.click();
      await signOut.click();
      await page.getByRole("link", { name: "Sign in" }).waitFor();
      await page.goto(`${console.base}/${user.organizationId}#main`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      // The page came by itself. Without its script, the form would send itself.
      await page.waitForLoadState();
      expect(new URL(page.url()).searchParams.get("next")).toBe(`/${user.organizationId}#main`);
      await page.getByLabel("E-mail address").fill(user.email);
      await page.getByLabel("Password").fill(user.password);
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/${user.organizationId}#main`);
    },
  );

  it.for(nightlySizes)(
    "shows no page of an organization to a stranger, and less to a member (%s)",
    async (size, { console, open }) => {
      const { owner, member } = console.demo;
      const stranger = await console.newUser("Elsewhere");
      const page = await open(`/${owner.organizationId}`, { user: stranger, size });
      await page.getByText("There is no such page").waitFor();
      await page.goto(`${console.base}/${stranger.organizationId}`);
      await heading(page, "Overview");
      expect(await page.getByText("Demo Company").count()).toBe(0);
      const other = await open("/", { user: member, size });
      await heading(other, "Overview");
      await other.getByRole("heading", { name: "Newest activity" }).waitFor();
      expect(await other.getByText("Set up your organization").count()).toBe(0);
    },
  );

  it.for(nightlySizes)(
    "leads a guest from the start page to an organization (%s)",
    async (size, { open }) => {
      const page = await open("/", { size });
      await page.getByRole("link", { name: "Create an account" }).first().click();
      await page.waitForURL("**/sign-up");
      await page.getByLabel("Name").fill("Robin");
      await page.getByLabel("E-mail address").fill(`robin-${size}@example.com`);
      await page.getByLabel("Password").fill("purser-demo-1");
      await page.keyboard.press("Enter");
      await heading(page, "Create your organization");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByLabel("Name").fill("Fernhill Studio");
      await page.keyboard.press("Enter");
      await heading(page, "Overview");
      await page.getByText("Set up your organization").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    },
  );
}
