import type { Transaction } from "@purser/db";
import type { WebhookEffect, WebhookEvent, WebhookReceiver } from "@purser/platform/inbox";
import { warnOfDisconnection } from "./connections/service/remind.ts";
import { findActiveConnectionsOfConsent } from "./connections/store.ts";
import type { BankingPlatform } from "./context.ts";
import { linkStateHashes, setLinkFinished } from "./link/store.ts";
import type { ProviderName } from "./ports.ts";
import { requestSync } from "./syncs/service/run.ts";

/** Makes one receiver per configured provider whose adapter has `webhooks`. */
export function bankReceivers(
  platform: BankingPlatform,
  withWebhooks: ReadonlySet<ProviderName>,
): WebhookReceiver[] {
  const { db, banks } = platform;
  return banks.configured
    .filter((provider) => withWebhooks.has(provider))
    .map((provider) => ({
      area: "banking",
      provider,
      async verify(body, headers, now, sender) {
        const { webhooks } = await banks.at(provider);
        return webhooks?.verify(body, headers, now, sender) ?? { outcome: "refused", reason: "malformed" };
      },
      applyOnReceipt: (transaction, event) => applyBankWebhook(platform, transaction, provider, event),
      apply: (event) =>
        db.transaction((transaction) => applyBankWebhook(platform, transaction, provider, event)),
    }));
}

/**
 * Requests a sync of each active connection that the event names. Whatever the event says, the sync asks the bank for
 * its present state, so events may arrive late, repeatedly and in any order.
 */
async function applyBankWebhook(
  platform: BankingPlatform,
  transaction: Transaction,
  provider: ProviderName,
  event: Pick<WebhookEvent, "type" | "body">,
): Promise<WebhookEffect> {
  const { webhooks } = await platform.banks.at(provider);
  const bankEvent = webhooks?.read(event) ?? null;
  if (bankEvent === null) return "IGNORED";
  if (bankEvent.kind === "link_finished") {
    const hashes = linkStateHashes(platform.settings.encryptionKeys, provider, bankEvent.state);
    const isKnown = await setLinkFinished(transaction, provider, hashes, platform.clock.now());
    return isKnown ? "APPLIED" : "IGNORED";
  }
  const connections = await findActiveConnectionsOfConsent(transaction, provider, bankEvent);
  for (const connection of connections) {
    if (bankEvent.kind === "consent_ending")
      await warnOfDisconnection(platform, transaction, connection, bankEvent);
    await requestSync(platform, transaction, connection, "WEBHOOK");
  }
  return connections.length > 0 ? "APPLIED" : "IGNORED";
}
