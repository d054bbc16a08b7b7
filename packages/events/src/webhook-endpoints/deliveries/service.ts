import { Problem } from "@purser/core";
import { type MemberContext, lockForOwnerOrKey } from "@purser/organizations";
import { audit, toPage, transactInOrganization } from "@purser/platform";
import type { z } from "zod";
import { isSuccess } from "../../sending/rules.ts";
import { findWebhookEndpoint, lockWebhookEndpoint, wakeEndpoint } from "../store.ts";
import type { ListWebhookDeliveries, TheWebhookDelivery, WebhookDelivery } from "./contract.ts";
import { type DeliveryRow, findDeliveryRow, listDeliveryRows, restartDelivery } from "./store.ts";

type Delivery = z.output<typeof WebhookDelivery>;

export async function listWebhookDeliveries(
  ctx: MemberContext,
  input: z.output<typeof ListWebhookDeliveries>,
): Promise<Delivery[]> {
  const { organizationId, endpointId, status, after, limit } = input;
  if (endpointId !== undefined && !(await findWebhookEndpoint(ctx.db, { organizationId, id: endpointId })))
    throw new Problem("WEBHOOK_ENDPOINT_NOT_FOUND");
  const filter = { organizationId, endpointId, status };
  const rows = await listDeliveryRows(ctx.db, filter, after, limit + 1);
  return toPage(ctx, limit, rows).map(toDelivery);
}

/** Throws WEBHOOK_DELIVERY_NOT_FOUND. */
export async function getWebhookDelivery(
  ctx: MemberContext,
  { id }: z.output<typeof TheWebhookDelivery>,
): Promise<Delivery> {
  const { organizationId } = ctx.membership;
  const row = await findDeliveryRow(ctx.db, { organizationId, id });
  if (row === undefined) throw new Problem("WEBHOOK_DELIVERY_NOT_FOUND");
  return toDelivery(row);
}

/** Sends an event to its endpoint again, whatever came of it before. A new schedule of attempts starts now. */
export function redeliverWebhook(
  ctx: MemberContext,
  input: z.output<typeof TheWebhookDelivery>,
): Promise<Delivery> {
  return transactInOrganization(ctx, ctx.membership.organizationId, input, async (transaction) => {
    const { organizationId } = ctx.membership;
    await lockForOwnerOrKey(ctx, transaction, organizationId, "WEBHOOK_DELIVERY_NOT_FOUND");
    const key = { organizationId, id: input.id };
    const found = await findDeliveryRow(transaction, key);
    if (found === undefined) throw new Problem("WEBHOOK_DELIVERY_NOT_FOUND");
    const endpoint = await lockWebhookEndpoint(transaction, { organizationId, id: found.endpointId });
    if (endpoint === undefined) throw new Problem("WEBHOOK_ENDPOINT_NOT_FOUND");
    if (endpoint.status === "DISABLED") throw new Problem("WEBHOOK_ENDPOINT_DISABLED");
    const now = ctx.clock.now();
    const restarted = await restartDelivery(transaction, key, now);
    if (restarted === undefined) throw new Problem("WEBHOOK_DELIVERY_NOT_FOUND");
    await wakeEndpoint(transaction, endpoint, now);
    audit(ctx, transaction, { organizationId, subject: endpoint.id, details: { delivery: key.id } });
    return toDelivery(restarted);
  });
}

/** The times of attempts are text in the stored JSON. */
export function toDelivery({ attempts, ...row }: DeliveryRow): Delivery {
  return {
    ...row,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      at: new Date(attempt.at),
      isSuccess: attempt.error === null && isSuccess(attempt.statusCode),
    })),
  };
}
