import { createPurserClient } from "@purser/client";
import { createPurserAuth } from "@purser/client/auth";

const baseUrl = "https://purser.example";
const purser = createPurserClient({ baseUrl });

// The test compares the types that the compiler writes for these.
export const transactions = await purser.banking.transactions.list({ teamId: "org" });
export const page = await purser.cards.transactions.list.page({ organizationId: "org" });
export const subscription = await purser.organizations.subscription.get({ organizationId: "org" });
export const created = await purser.cards.get.withResponse({ organizationId: "org", cardId: "card" });
export const keys = await createPurserAuth({ baseUrl }).apiKey.list();
