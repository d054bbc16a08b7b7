import type { TenantKey, Transaction } from "@purser/db";
import type { Actor } from "@purser/platform";
import { type NewEvent, recordEvents } from "@purser/platform/events";
import { type ListedAccount, listAccountsById } from "../accounts/store/list.ts";
import { toBankConnection } from "../connections/service/list.ts";
import { findConnection, listConsentRows } from "../connections/store.ts";
import type { BankingPlatform } from "../context.ts";
import type { LedgerChange } from "../syncs/service/change-counter.ts";
import type { BankingEvent } from "./contract.ts";

type ConnectionEvent = Extract<BankingEvent, { subject: { type: "bank_connection" } }>;
type AccountEvent = Extract<BankingEvent, { subject: { type: "bank_account" } }>;

/** The data of a connection event in addition to the connection itself. */
type Details<Type extends ConnectionEvent["type"]> = Omit<
  Extract<ConnectionEvent, { type: Type }>["data"],
  keyof ReturnType<typeof toBankConnection>
>;

/** Records an event of a connection, as the connection is at this point of the transaction. */
export async function recordConnectionEvent<Type extends ConnectionEvent["type"]>(
  platform: BankingPlatform,
  transaction: Transaction,
  actor: Actor,
  { organizationId, id: subject }: TenantKey,
  type: Type,
  details: Details<Type>,
): Promise<void> {
  const connection = await findConnection(transaction, organizationId, subject);
  const consents = await listConsentRows(transaction, organizationId, [subject]);
  const data = { ...toBankConnection(connection!, consents, platform.clock.now()), ...details };
  await recordEvents(platform, transaction, actor, [{ organizationId, type, subject, data }]);
}

/** What a database transaction changed in the accounts of an organization. */
interface AccountChanges {
  organizationId: string;
  /** The accounts that it may have changed. */
  accountIds?: Iterable<string | null>;
  /** Accounts as they were before it. An account that is not among them counts as changed. */
  before?: readonly ListedAccount[];
  /** What it changed in the transactions of each account. */
  changes?: ReadonlyMap<string, LedgerChange>;
}

/**
 * Records an event for each account that changed, and one for each account whose transactions changed, as the accounts
 * are at this point of the transaction. An account that ended has its last state.
 */
export async function recordAccountEvents(
  platform: Pick<BankingPlatform, "clock" | "eventLog" | "settings">,
  transaction: Transaction,
  actor: Actor,
  { organizationId, accountIds = [], before = [], changes = new Map() }: AccountChanges,
): Promise<void> {
  const keys = platform.settings.encryptionKeys;
  const listed = [...new Set(accountIds)].filter((id) => id !== null);
  const ids = [...new Set([...listed, ...changes.keys()])];
  const present = await listAccountsById(transaction, keys, organizationId, ids);
  const earlier = new Map(before.map((account) => [account.id, account]));
  const accounts = new Map([...before, ...present].map((account) => [account.id, account]));
  const dataOf = (id: string) => {
    const { transactionCount: _, ...data } = accounts.get(id)!;
    return data;
  };
  const updated = listed.filter((id) => shownOf(accounts.get(id)) !== shownOf(earlier.get(id)));
  await recordEvents(platform, transaction, actor, [
    ...updated.map((subject): NewEvent<AccountEvent> => {
      return { organizationId, type: "bank_account.updated", subject, data: dataOf(subject) };
    }),
    ...[...changes].map(([subject, { firstDay, lastDay, ...counts }]): NewEvent<AccountEvent> => {
      const days = { firstDay: new Date(firstDay), lastDay: new Date(lastDay) };
      const data = { ...dataOf(subject), ...counts, ...days };
      return { organizationId, type: "bank_transactions.changed", subject, data };
    }),
  ]);
}

/** What an account itself shows. The events of connections and transactions have the rest. */
const shownOf = (account: ListedAccount | undefined) =>
  account && JSON.stringify({ ...account, connection: null, transactionCount: null });
