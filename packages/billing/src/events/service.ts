import { Problem } from "@purser/core";
import type { z } from "zod";
import { requireItem, toPage } from "@purser/platform";
import {
  type InboxEntry,
  type WebhookKey,
  findInbox,
  listInbox,
  replayWebhookIn,
} from "@purser/platform/inbox";
import { transact } from "@purser/platform";
import type { UserContext } from "@purser/platform";
import type { ListEvents, ReplayEvent } from "./contract.ts";

/** What payment providers have told, the newest first, and what became of it. */
export async function listEvents(ctx: UserContext, input: z.output<typeof ListEvents>) {
  const { provider, status, limit } = input;
  const after = await requireItem(input.after, async (id) => findInbox(ctx.db, keyOf(id)));
  const entries = await listInbox(ctx.db, { area: "billing", provider, status, after, limit: limit + 1 });
  return toPage(ctx, limit, entries.map(present));
}

/** Has an event applied again, with all attempts. Throws WEBHOOK_EVENT_NOT_FOUND. */
export function replayEvent(ctx: UserContext, input: z.output<typeof ReplayEvent>) {
  return transact(ctx, input, async (transaction) => {
    const key = keyOf(input.id);
    if (!(await replayWebhookIn(ctx, transaction, key))) throw new Problem("WEBHOOK_EVENT_NOT_FOUND");
    return present((await findInbox(transaction, key))!);
  });
}

function present({ area: _area, eventId, ...entry }: InboxEntry) {
  return { ...entry, id: `${entry.provider}:${eventId}` };
}

function keyOf(id: string): WebhookKey {
  const [provider = "", ...rest] = id.split(":");
  return { area: "billing", provider, eventId: rest.join(":") };
}
