import client = require("@purser/client");
import { createPurserAuth } from "@purser/client/auth";
import { createPurserQueries } from "@purser/client/tanstack";
import { verifyWebhook } from "@purser/client/webhooks";

const purser: client.PurserClient = client.createPurserClient({ baseUrl: "https://purser.example" });

export const receive = (body: string, headers: Record<string, string>) =>
  verifyWebhook(body, headers, "whsec_");

export async function cards(organizationId: string): Promise<client.CardListItem[]> {
  const session = await createPurserAuth({ baseUrl: "https://purser.example" }).getSession();
  console.log(session?.user.email, createPurserQueries(purser).cards.list.queryKey());
  return purser.cards.list({ organizationId });
}
