import type { AccountData, TransactionData } from "../ports.ts";
import { type ScriptedTeam, bankAccount, payment } from "./scripted-bank.ts";

/** What the bank shows under each consent: its account, and batches of transactions. */
export type ShownAccounts = Record<
  string,
  { account?: Partial<AccountData>; batches: Partial<TransactionData>[][] }
>;

/** Two connections of which each shows an account without an identifier, with the given transactions. */
export async function linkTwice(
  team: ScriptedTeam,
  first: Partial<TransactionData>[],
  second: Partial<TransactionData>[],
) {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  const shown: ShownAccounts = { first: { batches: [first] }, second: { batches: [second] } };
  await team.begin({
    isComplete: false,
    accounts: async ({ consentId }) => [
      bankAccount({ externalId: consentId, identifiers: [], ...shown[consentId]!.account }),
    ],
    changes: async ({ consentId }, cursor) => {
      const { batches } = shown[consentId]!;
      const added = batches
        .slice(Number(cursor ?? 0))
        .flat()
        .map((one) => payment({ accountId: consentId, ...one }));
      return { added, modified: [], removed: [], hasMore: false, cursor: String(batches.length) };
    },
  });
  const firstConnection = team.connectionId;
  team.purser.clock.advance(1000);
  const secondConnection = await team.connect("second");
  for (const id of [firstConnection, secondConnection])
    if ((await team.sync(id)) !== "ok") throw new Error(`The sync of ${id} failed`);
  const [into, account] = await team.accounts();
  return { shown, firstConnection, secondConnection, accountId: account!.id, intoAccountId: into!.id };
}
