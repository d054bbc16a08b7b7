import type { BankingPlatform } from "../../context.ts";
import { type Access, type AuthorizedConsent, BankError, type BankProvider } from "../../ports.ts";
import type { SyncRow } from "../store/runs.ts";

/** How old the data of a provider may be when a person requests a sync. A front end may sync on each page view. */
const recentMs = 5 * 60 * 1000;

/**
 * Makes the provider read the bank first if a person who is present requested the sync, and not a program, unless the provider
 * has just read it: the provider bills this, and between two requests it reads the bank by its own schedule. A failure does
 * not prevent reading what the provider has.
 */
export async function refreshOnRequest(
  { clock, logger }: Pick<BankingPlatform, "clock" | "logger">,
  sync: SyncRow,
  bank: BankProvider,
  access: Access,
  { bankReadAt }: AuthorizedConsent,
): Promise<void> {
  const isOnRequest = sync.trigger === "MANUAL" && access.personAddress !== undefined;
  if (!isOnRequest || access.withheldScopes?.has("transactions")) return;
  if (bankReadAt && clock.now().getTime() - bankReadAt.getTime() < recentMs) return;
  await bank.refresh?.(access).catch((error: unknown) => {
    if (!BankError.is(error)) throw error;
    const log = { syncId: sync.id, connectionId: sync.connectionId, reason: error.message };
    logger.warn(log, "The provider did not read the bank on request; the sync has what it read before");
  });
}
