import type { Settings } from "@purser/platform/settings";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { feedBank } from "./feed.ts";

/**
 * An organization with a bank connection whose accounts are stored, and whose first sync is still queued.
 */
export interface Linked {
  purser: TestPurser;
  owner: Person;
  teamId: string;
  connectionId: string;
  /** Our account ids by the position of the bank's accounts. */
  accountIds: string[];
}

/** Opens a separate service and connects a bank with this many transactions. Close its `purser` afterwards. */
export async function linkBank(transactions: number, settings: Partial<Settings> = {}): Promise<Linked> {
  const bank = feedBank(transactions);
  const purser = await createTestPurser({
    settings,
    banks: { configured: ["sandbox"], at: async () => bank },
  });
  const owner = await purser.person();
  const teamId = await purser.organization(owner);
  return { purser, owner, teamId, ...(await connectFeedBank(purser, owner, teamId, "first")) };
}

/** Connects the bank with another consent, which brings separate accounts. */
export async function connectFeedBank(purser: TestPurser, owner: Person, teamId: string, consentId: string) {
  const { banking } = purser.as(owner);
  const bank = { provider: "sandbox", providerId: "bench-bank", consentId } as const;
  const { id: connectionId } = await banking.connections.connect({ teamId, ...bank });
  const accounts = await banking.accounts.list({ teamId, connectionId });
  return { connectionId, accountIds: accounts.map(({ id }) => id).toSorted() };
}
