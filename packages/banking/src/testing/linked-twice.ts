import type { AccountData, TransactionData } from "../ports.ts";
import { type Script, type ScriptedTeam, bankAccount, payment } from "./scripted-bank.ts";

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
  feed: Pick<Script, "feed" | "isComplete"> = { feed: "cursor", isComplete: false },
) {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  const shown: ShownAccounts = { first: { batches: [first] }, second: { batches: [second] } };
  const listed = (consentId: string, after = 0) =>
    shown[consentId]!.batches.slice(after)
      .flat()
      .map((one) => payment({ accountId: consentId, ...one }));
  await team.begin({
    ...feed,
    accounts: async ({ consentId }) => [
      bankAccount({ externalId: consentId, identifiers: [], ...shown[consentId]!.account }),
    ],
    changes: async ({ consentId }, cursor) => {
      const added = listed(consentId, Number(cursor ?? 0));
      const end = String(shown[consentId]!.batches.length);
      return { added, modified: [], removed: [], hasMore: false, cursor: end };
    },
    async *transactions({ consentId }, _accountId, from) {
      yield listed(consentId).filter(({ date }) => date >= from);
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
