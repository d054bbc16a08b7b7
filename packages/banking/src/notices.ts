import type { BankingPlatform } from "./context.ts";
import { findConnection, findConsentsAt } from "./connections/store.ts";
import type { BankEvent, ProviderName } from "./ports.ts";
import { requestSync } from "./syncs/service/request.ts";

/**
 * Acts on what a provider's webhook told, and says whether it concerned anybody. Whatever it was, the answer is to
 * ask the bank how things stand now: then it does not matter in what order events come, how often, and how late.
 */
export async function applyNotice(
  platform: BankingPlatform,
  provider: ProviderName,
  { consentId, organizationId }: BankEvent,
): Promise<boolean> {
  const named = await findConsentsAt(platform.db, provider, consentId);
  const meant = named.filter((one) => organizationId === null || one.organizationId === organizationId);
  let concerned = false;
  for (const one of meant) {
    const connection = await findConnection(platform.db, one.organizationId, one.connectionId);
    if (connection?.status !== "ACTIVE") continue;
    await platform.db.transaction((transaction) => requestSync(platform, transaction, connection, "WEBHOOK"));
    concerned = true;
  }
  return concerned;
}
