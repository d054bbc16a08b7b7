import type { Keyring } from "@purser/platform";
import { retryAfter } from "@purser/platform/providers";
import { warnOfUnreadable } from "../stored-event.ts";
import { openPreviousSecrets, openSecret, signedHeaders } from "../webhook-endpoints/secret.ts";
import { webhookBody } from "./body.ts";
import type { WebhookClient } from "./client.ts";
import type { SendingPlatform } from "./context.ts";
import { isGone, isSuccess, nextAttemptAfter, retryUnreadableAt } from "./rules.ts";
import type { AttemptResult, DueDelivery } from "./store/deliveries.ts";
import { webhookMetrics } from "./metrics.ts";

export interface DeliveryOutcome {
  result: AttemptResult;
  /** Whether the endpoint took the event. Null if nothing was sent. */
  hasSucceeded: boolean | null;
  /** The endpoint wants no more events. */
  isGone: boolean;
}

/** Sends one delivery once. Rejects only if the signal ends it: then it is unknown whether the receiver has the event. */
export async function attemptDelivery(
  platform: Pick<SendingPlatform, "clock" | "meter" | "settings" | "logger">,
  client: WebhookClient,
  { endpoint, delivery, event }: DueDelivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { encryptionKeys } = platform.settings;
  const { id, endpointId, attemptCount, dueAt } = delivery;
  const at = platform.clock.now();
  const body = bodyOf(platform, { ...delivery, event });
  if (body === null || body === unreadable) {
    const next =
      body === null
        ? ({ status: "FAILED", nextAttemptAt: null } as const)
        : ({ status: "PENDING", nextAttemptAt: retryUnreadableAt(delivery.createdAt, at) } as const);
    return { result: { id, endpointId, dueAt, ...next, attempt: null }, hasSucceeded: null, isGone: false };
  }
  const secrets = secretsOf(encryptionKeys, { endpoint, delivery }, at);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Purser-Webhooks",
    ...signedHeaders(secrets, { id: delivery.eventId, at, body }),
  };
  const stopTimer = platform.meter.time(webhookMetrics.attemptDuration);
  const startedAt = performance.now();
  const response = await client.send({ url: endpoint.url, headers, body, signal });
  const { statusCode, error } = response;
  const durationMs = Math.round(performance.now() - startedAt);
  const hasSucceeded = isSuccess(statusCode);
  stopTimer({ outcome: hasSucceeded ? "delivered" : statusCode === null ? "unanswered" : "refused" });
  const next = hasSucceeded
    ? null
    : nextAttemptAfter({
        at: platform.clock.now(),
        attemptCount: attemptCount + 1,
        ...retryAfter(response.retryAfter, platform.clock),
        random: Math.random(),
      });
  const status = hasSucceeded ? "DELIVERED" : next === null ? "FAILED" : "PENDING";
  const attempt = { at: at.toISOString(), statusCode, error, durationMs };
  const result = { id, endpointId, dueAt, status, nextAttemptAt: next, attempt } as const;
  return { result, hasSucceeded, isGone: isGone(statusCode) };
}

/** Stands for a body that this process cannot read. A process of a later version, or with another key, may. */
const unreadable = Symbol("unreadable");

/** Null if the event is gone: then no attempt can ever succeed. */
function bodyOf(
  { settings, logger }: Pick<SendingPlatform, "settings" | "logger">,
  source: Parameters<typeof webhookBody>[1] & { eventId: string; eventType: string },
): string | null | typeof unreadable {
  try {
    return webhookBody(settings.encryptionKeys, source);
  } catch (error) {
    warnOfUnreadable(logger, source, error);
    return unreadable;
  }
}

function secretsOf(
  keys: Keyring,
  { endpoint, delivery }: Pick<DueDelivery, "endpoint" | "delivery">,
  now: Date,
): string[] {
  const key = { organizationId: delivery.organizationId, id: delivery.endpointId };
  const previous = openPreviousSecrets(keys, endpoint, key, now);
  return [openSecret(keys, endpoint.secret, key), ...previous.map(({ secret }) => secret)];
}
