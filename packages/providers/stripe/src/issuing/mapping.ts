import type {
  BlockedCardholder,
  CardStatus,
  IssuedCard,
  IssuerCardStatus,
  IssuerEvent,
} from "@purser/cards/ports";
import { parseWebhookBody } from "@purser/platform/providers";
import { z } from "zod";
import { StripeId } from "../client.ts";
import { issuingErrors } from "./errors.ts";

export const StripeCardholder = z.object({
  id: StripeId,
  requirements: z
    .object({ past_due: z.array(z.string()).nullish(), disabled_reason: z.string().nullish() })
    .nullish(),
});
export const Cardholders = z.object({
  data: z.array(StripeCardholder.extend({ metadata: z.record(z.string(), z.string()) })),
});

/** The fields of a card that we store. Drops a number or CVC if a response holds one. */
export const StripeCard = z.object({
  id: StripeId,
  last4: z.string().regex(/^\d{4}$/),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2000).max(9999),
  status: z.string(),
});

export const StripeCards = z.object({
  data: z.array(StripeCard.extend({ metadata: z.record(z.string(), z.string()) })),
});

export const CardWithHolder = z.object({ cardholder: StripeCardholder });

export function issuedCard({
  id,
  last4,
  exp_month: month,
  exp_year: year,
}: z.infer<typeof StripeCard>): IssuedCard {
  return { reference: id, lastFour: last4, expiryMonth: month, expiryYear: year };
}

/** Stripe does not distinguish a paused card from a frozen one. */
export const stripeStatus = {
  ACTIVE: "active",
  PAUSED: "inactive",
  FROZEN: "inactive",
  CLOSED: "canceled",
} as const satisfies Record<CardStatus, string>;

const cardUpdateType = "issuing_card.updated";

const CardUpdate = z.object({ data: z.object({ object: z.object({ id: StripeId, status: z.string() }) }) });

/** Reads the status of a card that changed. An update of a cardholder closes no card. */
export function readStripeCardStatus(event: IssuerEvent): IssuerCardStatus | null {
  if (event.type !== cardUpdateType) return null;
  const { object } = issuingErrors.parsePayload(
    cardUpdateType,
    CardUpdate,
    parseWebhookBody(event.body),
  ).data;
  return { card: object.id, status: reportedStatus[object.status] ?? "suspended" };
}

const reportedStatus: Readonly<Record<string, IssuerCardStatus["status"]>> = {
  active: "open",
  canceled: "closed",
};

const holderUpdateType = "issuing_cardholder.updated";

const HolderUpdate = z.object({
  data: z.object({
    object: StripeCardholder.extend({
      status: z.string(),
      metadata: z.record(z.string(), z.string()),
    }),
    previous_attributes: z.object({ status: z.unknown(), requirements: z.unknown() }).partial().optional(),
  }),
});

/**
 * Reads that a cardholder may make no purchases any more: of another status than `active`, or with a `disabled_reason`, with
 * which "all cards will decline authorizations" (SDK, `Cardholder.Requirements`). Null if something else has changed, and for
 * a cardholder of another system.
 */
export function readBlockedStripeCardholder(event: IssuerEvent): BlockedCardholder | null {
  if (event.type !== holderUpdateType) return null;
  const { object, previous_attributes: previous = {} } = issuingErrors.parsePayload(
    holderUpdateType,
    HolderUpdate,
    parseWebhookBody(event.body),
  ).data;
  const { id: cardholder, status, requirements, metadata } = object;
  const { purser_organization: organizationId, purser_user: userId } = metadata;
  const isOurs = organizationId !== undefined && userId !== undefined;
  if (!isOurs || !("status" in previous || "requirements" in previous)) return null;
  const disabled = requirements?.disabled_reason ?? null;
  if (status === "active" && disabled === null) return null;
  const missing = requirements?.past_due ?? [];
  const reason = [disabled ?? status, ...(missing.length > 0 ? [missing.join(", ")] : [])].join(": ");
  return { cardholder, organizationId, userId, reason };
}
