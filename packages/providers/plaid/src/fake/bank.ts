import type { Access, BankProvider, LinkRequest } from "@purser/banking/ports";
import type { Clock } from "@purser/core";
import { plaidBank } from "../bank.ts";
import { webhookFor } from "../links.ts";
import type { PlaidConfig } from "../settings.ts";
import { type PlaidFake, startPlaidFake } from "./index.ts";
import type { FakeItem } from "./items.ts";

export const webhookUrl = "https://purser.example/api/webhooks/banking/plaid";

/** Starts a fake Plaid and connects the adapter to it. */
export async function startPlaidBank(clock: Clock) {
  const fake = await startPlaidFake();
  const bankWith = (config: Partial<PlaidConfig> = {}): BankProvider =>
    plaidBank({
      ...fake.credentials,
      environment: "sandbox",
      basePath: fake.url,
      webhookUrl,
      countryCodes: ["GB", "IE"],
      clientName: "A Name",
      language: "en",
      daysRequested: 730,
      refreshesOnRequest: false,
      clock,
      ...config,
    });
  return { fake, bankWith, bank: bankWith() };
}

export function accessTo({ itemId, institutionId, accessToken }: FakeItem): Access {
  return { organizationId: "org_1", institutionId, consentId: itemId, token: accessToken };
}

/** An item that a team has linked and activated. */
export function linkedItem(fake: PlaidFake, organizationId = "org_1"): FakeItem {
  const { item } = fake.grant("ins_1", webhookFor(webhookUrl, organizationId));
  fake.items.set(item.accessToken, item);
  return item;
}

export function linkRequest(request: Partial<LinkRequest> = {}): LinkRequest {
  return {
    linkId: "lnk_1",
    organizationId: "org_1",
    userId: "user_1",
    institutionId: "ins_1",
    returnUrl: "https://purser.example/linked",
    continuesConnection: false,
    renews: null,
    ...request,
  };
}
