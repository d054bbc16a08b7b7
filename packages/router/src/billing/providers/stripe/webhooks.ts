import { z } from "zod";
import { hmacMatches, isTimely } from "../../../platform/inbox.ts";
import type { RefusedWebhook, VerifiedWebhook } from "../../../platform/inbox/receiver.ts";
import type { BillingNotice, BillingWebhooks } from "../../ports.ts";
import { Id, Metadata, Reference, recognizes } from "./mapping.ts";

/**
 * Stripe's webhooks: the header `Stripe-Signature` holds a time, and HMACs of it and the body. The SDK's own check
 * takes whatever was signed in the future, so that it is not what checks here; its own helper signs in the tests.
 */
export function stripeWebhooks(secrets: readonly string[]): BillingWebhooks {
  // Anybody could sign with an empty secret.
  const keys = secrets.map((secret) => secret.trim()).filter((secret) => secret !== "");
  return {
    verify: (body, headers, now) => verify(keys, body, headers.get("stripe-signature") ?? "", now),
    read: ({ body }) => noticeOf(parsed(body)),
  };
}

const Event = z.object({ id: Id, type: Id });

function verify(
  secrets: readonly string[],
  body: Buffer,
  header: string,
  now: Date,
): VerifiedWebhook | RefusedWebhook {
  const parts = header.split(",").map((part) => part.trim().split("=", 2));
  const named = (name: string) => parts.filter(([key]) => key === name).map(([, value = ""]) => value);
  // Of several times the SDK takes the last one; the signature holds for one of them only.
  const time = named("t").at(-1) ?? "";
  const signatures = named("v1").filter((signature) => /^[\da-f]{64}$/.test(signature));
  const message = [`${time}.`, body];
  const isSigned = secrets.some((secret) =>
    signatures.some((signature) => hmacMatches({ secret, message, signature, encoding: "hex" })),
  );
  if (!isSigned || !/^\d{1,12}$/.test(time)) return refused("signature");
  if (!isTimely(new Date(Number(time) * 1000), now)) return refused("time");
  const { data } = Event.safeParse(parsed(body.toString("utf8")));
  if (data === undefined) return refused("malformed");
  return { outcome: "verified", eventId: data.id, type: data.type };
}

function refused(reason: RefusedWebhook["reason"]): RefusedWebhook {
  return { outcome: "refused", reason };
}

const Team = Metadata.catch({});

/** What an event is about: the thing itself, as far as it tells of a subscription. */
const Notified = z.object({
  data: z.object({
    object: z.object({
      object: z.string(),
      id: Id.optional().catch(undefined),
      metadata: Team,
      /** At checkout sessions and schedules, and at invoices before the API's version of 2025-03-31. */
      subscription: Reference.optional().catch(undefined),
      /** At invoices and their items since. */
      parent: z
        .object({ subscription_details: z.object({ subscription: Reference, metadata: Team }) })
        .optional()
        .catch(undefined),
    }),
  }),
});

const catalogue: ReadonlySet<string> = new Set(["product", "price", "plan"]);

/** By what it is about and not by its type, of which new ones come up. */
function noticeOf(event: unknown): BillingNotice | null {
  const thing = Notified.safeParse(event).data?.data.object;
  if (thing === undefined) return null;
  if (catalogue.has(thing.object)) return { kind: "catalogue" };
  const details = thing.parent?.subscription_details;
  const mentioned = details?.subscription ?? thing.subscription;
  const subscriptionId = thing.object === "subscription" ? thing.id : mentioned;
  if (subscriptionId === undefined || !recognizes(subscriptionId)) return null;
  const { purser_organization: organizationId = null } = details?.metadata ?? thing.metadata;
  return { kind: "subscription", subscriptionId, organizationId };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
