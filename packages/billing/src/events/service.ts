import { Problem } from "@purser/core";
import { type CallerContext, requireItem, toPage, transact } from "@purser/platform";
import {
  type InboxEntry,
  type WebhookKey,
  findWebhook,
  listWebhooks,
  replayWebhookIn,
} from "@purser/platform/inbox";
import type { z } from "zod";
import type { ListBillingEvents, ReplayEvent } from "./contract.ts";

/** Lists the webhook events of payment providers and their status, newest first. */
export async function listBillingEvents(ctx: CallerContext, input: z.output<typeof ListBillingEvents>) {
  const { provider, status, limit } = input;
  // The provider's id does not tell when the event was received, so a deleted event has no place in the list.
  const after = await requireItem(input.after, async (id) => findWebhook(ctx.db, parseEventId(id)));
  const entries = await listWebhooks(ctx.db, { area: "billing", provider, status, after, limit: limit + 1 });
  return toPage(ctx, limit, entries.map(toBillingEvent));
}

/** Applies an event again, with all attempts. Throws WEBHOOK_EVENT_NOT_FOUND. */
export function replayEvent(ctx: CallerContext, input: z.output<typeof ReplayEvent>) {
  return transact(ctx, input, async (transaction) => {
    const key = parseEventId(input.id);
    if (!(await replayWebhookIn(ctx, transaction, key))) throw new Problem("WEBHOOK_EVENT_NOT_FOUND");
    return toBillingEvent((await findWebhook(transaction, key))!);
  });
}

function toBillingEvent({ area: _area, eventId, ...entry }: InboxEntry) {
  return { ...entry, id: `${entry.provider}:${eventId}` };
}

function parseEventId(id: string): WebhookKey {
  const [provider = "", ...rest] = id.split(":");
  return { area: "billing", provider, eventId: rest.join(":") };
}
