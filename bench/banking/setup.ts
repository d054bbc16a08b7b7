import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import type { Settings } from "@purser/platform/settings";
import { feedBank } from "./feed.ts";

/** A team with a connection to a bank whose accounts are stored, and whose first synchronisation waits. */
export interface Linked {
  purser: TestPurser;
  owner: Person;
  teamId: string;
  connectionId: string;
  /** Our account for each of the bank's, by position. */
  accountIds: string[];
}

/** Opens a service of its own and connects a bank with so many transactions. Close its `purser` afterwards. */
export async function linkBank(transactions: number, settings: Partial<Settings> = {}): Promise<Linked> {
  const bank = feedBank(transactions);
  const purser = await createTestPurser({
    settings,
    banks: { configured: ["sandbox"], at: async () => bank },
  });
  const owner = await purser.person();
  const teamId = await purser.organization(owner);
  return { purser, owner, teamId, ...(await connect(purser, owner, teamId, "first")) };
}

/** Connects the bank by another consent, which brings accounts of its own. */
export async function connect(purser: TestPurser, owner: Person, teamId: string, consentId: string) {
  const { banking } = purser.as(owner);
  const bank = { provider: "sandbox", providerId: "bench-bank", consentId } as const;
  const { id: connectionId } = await banking.connections.connect({ teamId, ...bank });
  const accounts = await banking.accounts.list({ teamId, connectionId });
  return { connectionId, accountIds: accounts.map(({ id }) => id).toSorted() };
}
