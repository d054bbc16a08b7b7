import { isDeepStrictEqual } from "node:util";
import { Problem, addMs, newId } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import {
  type MemberContext,
  type OrganizationHooks,
  lockForOwnerOrKey,
  requireVerifiedAddress,
} from "@purser/organizations";
import { actorOf, audit, toPage, transactInOrganization } from "@purser/platform";
import { recordEvent } from "@purser/platform/events";
import type { z } from "zod";
import type {
  CreateWebhookEndpoint,
  ListWebhookEndpoints,
  TheWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
} from "./contract.ts";
import type { WebhookDelivery } from "./deliveries/contract.ts";
import { toDelivery } from "./deliveries/service.ts";
import { failPendingDeliveries, insertDelivery } from "./deliveries/store.ts";
import type { WebhookEndpointEvent } from "./feed-events/contract.ts";
import {
  newWebhookSecret,
  openPreviousSecrets,
  openSecret,
  sealPreviousSecrets,
  sealSecret,
  sealTestBody,
} from "./secret.ts";
import {
  countWebhookEndpoints,
  deleteEndpointsOf,
  deleteWebhookEndpointRow,
  disableEndpointRow,
  enableEndpointRow,
  insertWebhookEndpoint,
  listWebhookEndpointRows,
  lockWebhookEndpoint,
  resetFailures,
  updateWebhookEndpointRow,
  wakeEndpoint,
} from "./store.ts";

type Endpoint = z.output<typeof WebhookEndpoint>;

const maxEndpoints = 20;

/** For so long after a secret was replaced, deliveries are signed with it too. */
const previousSecretMs = 24 * 60 * 60 * 1000;

/** The type of test events. No feed keeps them, so no contract of an event has it. */
const testEventType = "webhook_endpoint.test";

export async function listWebhookEndpoints(ctx: MemberContext, input: z.output<typeof ListWebhookEndpoints>) {
  const { organizationId, after, limit } = input;
  return toPage(ctx, limit, await listWebhookEndpointRows(ctx.db, organizationId, after, limit + 1));
}

/** Creates an endpoint, and returns its secret. It is shown only now, so an idempotent repeat is refused. */
export async function createWebhookEndpoint(
  ctx: MemberContext,
  input: z.output<typeof CreateWebhookEndpoint>,
) {
  const { organizationId, url, types = [], description = null } = input;
  const { base: eraBase } = await ctx.eventLog.eras();
  const create = async (transaction: Transaction) => {
    await lockForOwnerOrKey(ctx, transaction, organizationId);
    requireVerifiedAddress(ctx);
    if ((await countWebhookEndpoints(transaction, organizationId)) >= maxEndpoints)
      throw new Problem("TOO_MANY_ENDPOINTS");
    const createdAt = ctx.clock.now();
    const id = newId("whe", createdAt);
    const endpoint: Endpoint = {
      id,
      organizationId,
      url,
      types: distinct(types),
      description,
      status: "ENABLED",
      disabledReason: null,
      createdAt,
    };
    const secret = newWebhookSecret();
    const sealed = sealSecret(ctx.settings.encryptionKeys, secret, endpoint);
    await insertWebhookEndpoint(transaction, { ...endpoint, eraBase, secret: sealed });
    audit(ctx, transaction, { organizationId, subject: id, details: detailsOf(endpoint) });
    return { ...endpoint, secret };
  };
  return transactInOrganization(ctx, organizationId, input, create, { isSecret: true });
}

/**
 * Changes an endpoint. Disabling gives up what is pending; enabling starts with what happens from then on. A new address has not
 * failed yet, whatever the old one did.
 */
export async function updateWebhookEndpoint(
  ctx: MemberContext,
  input: z.output<typeof UpdateWebhookEndpoint>,
): Promise<Endpoint> {
  const { base: eraBase } = await ctx.eventLog.eras();
  return transactInOrganization(ctx, ctx.membership.organizationId, input, async (transaction) => {
    const { secrets: _, ...before } = await lockEndpoint(ctx, transaction, input.id);
    const change = {
      url: input.url ?? before.url,
      types: input.types ? distinct(input.types) : before.types,
      description: input.description === undefined ? before.description : input.description,
    };
    const { status = before.status } = input;
    const from = detailsOf(before);
    const to = detailsOf({ ...change, status });
    const urlChanged = change.url !== before.url;
    if (isDeepStrictEqual(from, to) && !urlChanged) return before;
    // Nothing has failed at the new address yet.
    const failures = urlChanged ? resetFailures() : {};
    let after: Endpoint = await updateWebhookEndpointRow(transaction, before, { ...change, ...failures });
    if (status !== before.status)
      after = await (status === "ENABLED"
        ? enable(transaction, after, eraBase)
        : disable(ctx, transaction, after));
    const { organizationId } = before;
    audit(ctx, transaction, { organizationId, subject: before.id, details: { from, to, urlChanged } });
    return after;
  });
}

/** What happened while it was disabled is before the new position, so it is not sent later. */
async function enable(transaction: Transaction, endpoint: Endpoint, eraBase: number): Promise<Endpoint> {
  // The rest of what was pending when it was disabled, or it would be sent now.
  const { organizationId, id: endpointId } = endpoint;
  if (await failPendingDeliveries(transaction, { organizationId, endpointId }))
    throw new Problem("UNAVAILABLE", { retryAfterSeconds: 5 });
  return enableEndpointRow(transaction, endpoint, eraBase);
}

async function disable(ctx: MemberContext, transaction: Transaction, endpoint: Endpoint): Promise<Endpoint> {
  const actor = actorOf(ctx);
  const reason = `${actor?.name ?? "An owner"} disabled it.`;
  return disableEndpoint(transaction, endpoint, { reason, now: ctx.clock.now() }, (data) =>
    recordEvent<WebhookEndpointEvent>(ctx, transaction, {
      organizationId: data.organizationId,
      type: "webhook_endpoint.disabled",
      subject: data.id,
      data,
    }),
  );
}

/** Disables an endpoint, gives up what is pending, and records the event. */
export async function disableEndpoint(
  transaction: Transaction,
  { organizationId, id }: TenantKey,
  { reason, now }: { reason: string; now: Date },
  record: (endpoint: Endpoint) => Promise<void>,
): Promise<Endpoint> {
  const hasMore = await failPendingDeliveries(transaction, { organizationId, endpointId: id });
  const disabled = await disableEndpointRow(
    transaction,
    { organizationId, id },
    { reason, dueAt: hasMore ? now : null },
  );
  await record(disabled);
  return disabled;
}

/** Deletes an endpoint and gives up what is pending. Its deliveries stay listed. */
export function deleteWebhookEndpoint(
  ctx: MemberContext,
  input: z.output<typeof TheWebhookEndpoint>,
): Promise<void> {
  return transactInOrganization(ctx, ctx.membership.organizationId, input, async (transaction) => {
    const endpoint = await lockEndpoint(ctx, transaction, input.id);
    const { organizationId, id: endpointId } = endpoint;
    await failPendingDeliveries(transaction, { organizationId, endpointId });
    await deleteWebhookEndpointRow(transaction, endpoint);
    audit(ctx, transaction, { organizationId, subject: endpointId, details: detailsOf(endpoint) });
  });
}

/**
 * Replaces the secret and returns the new one. Every secret signs for a day after it was replaced, so receivers can change over
 * at any time, and a caller who did not get the answer can rotate again.
 */
export function rotateWebhookSecret(ctx: MemberContext, input: z.output<typeof TheWebhookEndpoint>) {
  const keys = ctx.settings.encryptionKeys;
  const rotate = async (transaction: Transaction) => {
    const { secrets, ...endpoint } = await lockEndpoint(ctx, transaction, input.id);
    const now = ctx.clock.now();
    const replaced = {
      secret: openSecret(keys, secrets.secret, endpoint),
      until: addMs(now, previousSecretMs),
    };
    const earlier = openPreviousSecrets(keys, secrets, endpoint, now);
    const secret = newWebhookSecret();
    await updateWebhookEndpointRow(transaction, endpoint, {
      secret: sealSecret(keys, secret, endpoint),
      ...sealPreviousSecrets(keys, [replaced, ...earlier], endpoint),
    });
    audit(ctx, transaction, { organizationId: endpoint.organizationId, subject: endpoint.id });
    return { ...endpoint, secret };
  };
  return transactInOrganization(ctx, ctx.membership.organizationId, input, rotate, { isSecret: true });
}

/** Sends a test event to this endpoint alone. It is in no feed. */
export function testWebhookEndpoint(
  ctx: MemberContext,
  input: z.output<typeof TheWebhookEndpoint>,
): Promise<z.output<typeof WebhookDelivery>> {
  return transactInOrganization(ctx, ctx.membership.organizationId, input, async (transaction) => {
    const { secrets: _, ...endpoint } = await lockEndpoint(ctx, transaction, input.id);
    if (endpoint.status === "DISABLED") throw new Problem("WEBHOOK_ENDPOINT_DISABLED");
    const { organizationId, id: endpointId } = endpoint;
    const createdAt = ctx.clock.now();
    const eventId = newId("evt", createdAt);
    const event = {
      id: eventId,
      organizationId,
      type: testEventType,
      createdAt,
      actor: actorOf(ctx),
      subject: { type: "webhook_endpoint", id: endpointId },
      data: endpoint,
    };
    const body = JSON.stringify({ type: testEventType, timestamp: createdAt, data: event });
    const id = newId("whd", createdAt);
    const inserted = await insertDelivery(transaction, {
      organizationId,
      id,
      endpointId,
      eventId,
      eventType: testEventType,
      status: "PENDING",
      nextAttemptAt: createdAt,
      testBody: sealTestBody(ctx.settings.encryptionKeys, body, { organizationId, id }),
      createdAt,
    });
    await wakeEndpoint(transaction, endpoint, createdAt);
    audit(ctx, transaction, { organizationId, subject: endpointId });
    return toDelivery(inserted);
  });
}

/** The endpoint that the input names, locked for a caller who still may change it. */
async function lockEndpoint(ctx: MemberContext, transaction: Transaction, id: string) {
  const { organizationId } = ctx.membership;
  await lockForOwnerOrKey(ctx, transaction, organizationId, "WEBHOOK_ENDPOINT_NOT_FOUND");
  const endpoint = await lockWebhookEndpoint(transaction, { organizationId, id });
  if (endpoint === undefined) throw new Problem("WEBHOOK_ENDPOINT_NOT_FOUND");
  return endpoint;
}

/** For the audit trail. Receivers put secrets into the path or the query of an address, so it names the origin alone. */
function detailsOf({
  url,
  types,
  description,
  status,
}: Pick<Endpoint, "url" | "types" | "description" | "status">) {
  return { origin: new URL(url).origin, types, description, status };
}

const distinct = <Type>(types: readonly Type[]): Type[] => [...new Set(types)];

/** A deleted organization has no endpoints, so nothing is sent any more. */
export const webhookHooks: OrganizationHooks = { deleted: deleteEndpointsOf };
