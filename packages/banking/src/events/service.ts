import type { Transaction } from "@purser/db";
import type { Actor } from "@purser/platform";
import { recordEvents } from "@purser/platform/events";
import { presentConnection } from "../connections/service/list.ts";
import { findConnection, listConsentRows } from "../connections/store.ts";
import type { BankingPlatform } from "../context.ts";
import type { ConnectionKey } from "../syncs/store/runs.ts";
import type { BankingEvent } from "./contract.ts";

type ConnectionEvent = Extract<BankingEvent, { subject: { type: "bank_connection" } }>;

/** What the event of a connection tells beside the connection itself. */
type Details<Type extends ConnectionEvent["type"]> = Omit<
  Extract<ConnectionEvent, { type: Type }>["data"],
  keyof ReturnType<typeof presentConnection>
>;

/** Records an event of a connection, as the connection is at this point of the transaction. */
export async function recordConnectionEvent<Type extends ConnectionEvent["type"]>(
  platform: BankingPlatform,
  transaction: Transaction,
  actor: Actor["actor"],
  { organizationId, id: subject }: ConnectionKey,
  type: Type,
  details: Details<Type>,
): Promise<void> {
  const connection = await findConnection(transaction, organizationId, subject);
  const consents = await listConsentRows(transaction, organizationId, [subject]);
  const data = { ...presentConnection(connection!, consents, platform.clock.now()), ...details };
  await recordEvents(platform, transaction, actor, [{ organizationId, type, subject, data }]);
}
