import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { TestConsole, TestUser, sizes } from "./console.ts";

type Size = keyof typeof sizes;
type Theme = "light" | "dark";

interface Visit {
  name: string;
  size: Size;
  theme: Theme;
  page: Page;
  violations: readonly string[];
}

/** The pages of the demo organization. `at` is the path behind the organization, or a whole one. */
const places: readonly { name: string; at: string }[] = [
  { name: "overview", at: "" },
  { name: "accounts", at: "/accounts" },
  { name: "accounts-connect", at: "/accounts/connect" },
  { name: "transactions", at: "/transactions" },
  { name: "cards", at: "/cards" },
  { name: "cards-new", at: "/cards/new" },
  { name: "cards-declined", at: "/cards/declined" },
  { name: "cards-details", at: "/cards/details" },
  { name: "policies", at: "/policies" },
  { name: "policies-new", at: "/policies/new" },
  { name: "team", at: "/team" },
  { name: "team-invitations", at: "/team?tab=invitations" },
  { name: "team-activity", at: "/team?tab=activity" },
  { name: "team-organization", at: "/team?tab=organization" },
  { name: "billing", at: "/billing" },
  { name: "developers", at: "/developers" },
  { name: "developers-webhooks", at: "/developers?tab=webhooks" },
  { name: "developers-deliveries", at: "/developers?tab=deliveries" },
  { name: "developers-events", at: "/developers?tab=events" },
  { name: "sandbox", at: "/sandbox" },
  { name: "sandbox-bank", at: "/sandbox?tab=bank" },
  { name: "sandbox-billing", at: "/sandbox?tab=billing" },
];

/** The pages of single things, which have an id in their address. */
async function placesOfThings({ demo: { owner } }: TestConsole): Promise<{ name: string; at: string }[]> {
  const { organizationId, purser } = owner;
  const [account] = await purser.banking.accounts.list({ teamId: organizationId });
  const [declined] = await purser.cards.transactions.list({ organizationId, status: "DECLINED", limit: 1 });
  const [policy] = await purser.cards.policies.list({ organizationId });
  return [
    { name: "account-history", at: `/accounts/${account!.id}` },
    { name: "bank-data-to-review", at: "/accounts/quarantine" },
    { name: "card", at: `/cards/${declined!.cardId}` },
    { name: "purchase", at: `/cards/${declined!.cardId}?purchase=${declined!.id}` },
    { name: "policy", at: `/policies/${policy!.id}` },
  ];
}

const placesOfGuests = [
  { name: "guest-start", at: "/" },
  { name: "guest-sign-up", at: "/sign-up" },
  { name: "guest-sign-in", at: "/sign-in" },
  { name: "guest-forgot-password", at: "/forgot-password" },
  { name: "guest-reference", at: "/docs" },
  { name: "guest-mailbox", at: "/dev/mail" },
  { name: "guest-webhooks", at: "/dev/webhooks" },
];

/** The pages of the sandbox's bank and payment provider, which are reached by links that are made for one person. */
async function placesOfLinks(console: TestConsole): Promise<{ name: string; at: string }[]> {
  const { demo, base } = console;
  const { purser, organizationId: teamId } = demo.owner;
  const consent = {
    provider: "sandbox",
    providerId: "sandbox-bank",
    redirectUrl: `${base}/${teamId}`,
  } as const;
  const { url: consentUrl } = await purser.banking.link.create({ teamId, ...consent });
  const buyer = await console.newUser("Fernhill Studio");
  const order = { planId: "local_team", variantId: "local_team_monthly" };
  const checkoutUrl = await buyer.purser.billing.checkout({ teamId: buyer.organizationId, ...order });
  const { id: subscriptionId } = await subscriptionOf(demo.owner);
  const portalUrl = await purser.billing.portal({ subscriptionId });
  return [
    { name: "guest-consent", at: pathOf(consentUrl) },
    { name: "guest-checkout", at: pathOf(checkoutUrl) },
    { name: "guest-portal", at: pathOf(portalUrl) },
  ];
}

/** The subscription of the demo data. A job stores it soon after the start. */
async function subscriptionOf({ purser, organizationId }: TestUser) {
  for (;;) {
    const found = await purser.organizations.subscription.get({ organizationId });
    if (found !== null) return found;
    await sleep(50);
  }
}

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

const placesOfUser = [
  { name: "welcome", at: "/welcome" },
  { name: "account", at: "/account" },
];

/**
 * Opens every page as the demo's owner, and those of guests as a guest, in each size and theme, and waits until nothing is
 * loading.
 */
export async function visitPages(
  console: TestConsole,
  {
    sizes,
    themes,
    names = [],
    visit,
  }: {
    sizes: readonly Size[];
    themes: readonly Theme[];
    /** Only these pages. Empty: all. */
    names?: readonly string[];
    visit: (visit: Visit) => Promise<void>;
  },
): Promise<void> {
  const { open, demo, base } = console;
  const isWanted = ({ name }: { name: string }) => names.length === 0 || names.includes(name);
  const ofOrganization = [...places, ...(await placesOfThings(console))].map(({ name, at }) => ({
    name,
    at: `/${demo.owner.organizationId}${at}`,
  }));
  const visitors = [
    { user: demo.owner, at: [...ofOrganization, ...placesOfUser].filter(isWanted) },
    { at: [...placesOfGuests, ...(await placesOfLinks(console))].filter(isWanted) },
  ];
  for (const size of sizes)
    for (const theme of themes)
      for (const { user, at: wanted } of visitors) {
        const options = { size, colorScheme: theme, ownContext: true, ...(user !== undefined && { user }) };
        const { page, violations } = await open("/assets/purser.svg", options);
        for (const { name, at } of wanted) {
          await page.goto(base + at);
          await settled(page);
          await visit({ name, size, theme, page, violations: violations.splice(0) });
        }
        await page.context().close();
      }
}

/** Waits until a page has its heading and nothing on it is loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.evaluate(nothingLoads);
}

/** A part of a page may begin to load a few frames after its heading. */
const nothingLoads = `new Promise((done) => {
  let frames = 0;
  const look = () => {
    frames = document.querySelector(".mantine-Skeleton-root") === null ? frames + 1 : 0;
    if (frames === 20) done();
    else requestAnimationFrame(look);
  };
  look();
})`;
