import { newId } from "@purser/core";
import type { Platform } from "../../../context.ts";
import { repeat } from "../../../platform/transact.ts";
import type { CardMessage, IssuerName } from "../../ports.ts";
import { reverse } from "../rules/settle.ts";
import { windowsAt } from "../rules/windows.ts";
import {
  count,
  findByMessage,
  insertEventRow,
  lockReferencedCard,
  updateTransactionRow,
  withdrawalOf,
} from "../store/settle.ts";

/** Takes back an approval that reached the network too late: the network has refused by then. */
export async function withdraw(
  { db, clock }: Pick<Platform, "db" | "clock">,
  issuer: IssuerName,
  message: Extract<CardMessage, { kind: "authorization" | "increment" }>,
): Promise<void> {
  await repeat(() =>
    db.transaction(async (transaction) => {
      const card = await lockReferencedCard(transaction, { issuer, reference: message.card });
      const told = card && (await findByMessage(transaction, card, message.networkId));
      if (told === undefined || told.withdrawn) return;
      const now = clock.now();
      const { organizationId, cardId, id: transactionId } = told.transaction;
      const effect = reverse(told.transaction, told.event.counted, now, "decision_timed_out");
      // Something else has ended it meanwhile.
      if ("refused" in effect) return;
      await updateTransactionRow(transaction, told.transaction, effect.after);
      const windows = windowsAt(new Date(told.transaction.localDay), "UTC");
      await count(transaction, { organizationId, id: cardId }, windows, effect.counted);
      await insertEventRow(transaction, {
        organizationId,
        id: newId("cev", now),
        cardId,
        transactionId,
        kind: "REVERSAL",
        networkId: withdrawalOf(message.networkId),
        amount: effect.amount,
        counted: effect.counted,
        decision: null,
        createdAt: now,
      });
    }),
  );
}
