import type { ServicePlatform, createCaller } from "@purser/router";

type Purser = ReturnType<typeof createCaller>;

/** The built-in provider's test card that pays. */
const card = { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "424", name: "Demo Owner" };

/**
 * Gives the demo organization what its owner sets up once: an invitation, an API key, and a webhook endpoint. A part that
 * exists is left alone, so that the next start completes an interrupted one.
 */
export async function setUpDemo(
  platform: ServicePlatform,
  purser: Purser,
  organizationId: string,
): Promise<void> {
  const { invitations } = purser.organizations;
  // Only into the mailbox of development: its addressee does not exist.
  const isMailStored = platform.settings.smtpUrl === null;
  if (isMailStored && (await invitations.list({ organizationId })).length === 0)
    await invitations.create({ organizationId, email: "colleague@demo.example", role: "MEMBER" });
  // Nobody learns the secret of this key.
  if ((await purser.keys.list({ organizationId })).length === 0)
    await purser.keys.create({ organizationId, name: "Accounting export", access: "read" });
  if (platform.settings.webhooksAllowPrivate) await addEndpoint(platform, purser, organizationId);
}

/**
 * Subscribes the demo organization. A job stores the subscription later, so a repeat would pay twice: this is the last part
 * of the demo data, and no start repeats it.
 */
export async function subscribeDemo(
  platform: ServicePlatform,
  { billing }: Purser,
  teamId: string,
): Promise<void> {
  const url = await billing.checkout({ teamId, planId: "local_team", variantId: "local_team_monthly" });
  const { payCheckout } = await import("@purser/billing/sandbox");
  // The last part of the address is the provider's reference of the checkout.
  await payCheckout(platform, new URL(url).pathname.split("/").at(-1)!, card);
}

/** The receiver is a page of this very service, so that the demo calls no stranger. */
async function addEndpoint(
  { settings }: ServicePlatform,
  { webhookEndpoints }: Purser,
  organizationId: string,
): Promise<void> {
  if ((await webhookEndpoints.list({ organizationId })).length > 0) return;
  await webhookEndpoints.create({
    organizationId,
    url: `${settings.baseUrl}/dev/webhooks`,
    description: "What it receives is shown at this address",
    types: ["card_transaction.declined", "card_transaction.settled", "subscription.created"],
  });
}
