import { hash } from "node:crypto";
import { Problem, type ProblemCode, newId, problemCatalog } from "@purser/core";
import {
  actorOf,
  audit,
  callerId,
  idempotencyRetentionMs,
  transactAfterProviderCall,
} from "@purser/platform";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import { z } from "zod";
import type { CardsContext } from "../../context.ts";
import { cardReceivers } from "../../webhooks.ts";
import type { SandboxCardEvent } from "../messages.ts";
import type { Authorize, Clear, Expire, Increment, Refund, Reverse } from "./contract.ts";
import { findMessage, findPurchase, findSandboxCard } from "./store.ts";

export function simulateAuthorization(ctx: CardsContext, input: z.output<typeof Authorize>) {
  const { cardId, amount, currency, merchant, channel, at = ctx.clock.now() } = input;
  const { acceptsPartialApproval } = input;
  return controlSandboxCards(ctx, input, async () => {
    const card = await issuedCard(ctx, cardId);
    const fields = { amount, currency: currency ?? card.currency, merchant, channel, acceptsPartialApproval };
    return { card, type: "authorization.request", data: { ...about(card, at), ...fields } };
  });
}

export function simulateIncrement(ctx: CardsContext, input: z.output<typeof Increment>) {
  const { transactionId, amount, acceptsPartialApproval } = input;
  return controlSandboxCards(ctx, input, async () => {
    const { card, authorization } = await purchase(ctx, transactionId);
    return {
      card,
      type: "increment.request",
      data: { ...about(card, ctx.clock.now()), authorization, amount, acceptsPartialApproval },
    };
  });
}

export function simulateReversal(ctx: CardsContext, input: z.output<typeof Reverse>) {
  const { transactionId, amount = null } = input;
  return controlSandboxCards(ctx, input, async () => {
    const { card, authorization } = await purchase(ctx, transactionId);
    return { card, type: "reversal", data: { ...about(card, ctx.clock.now()), authorization, amount } };
  });
}

export function simulateExpiry(ctx: CardsContext, input: z.output<typeof Expire>) {
  return controlSandboxCards(ctx, input, async () => {
    const { card, authorization } = await purchase(ctx, input.transactionId);
    return { card, type: "expiry", data: { ...about(card, ctx.clock.now()), authorization } };
  });
}

export function simulateClearing(ctx: CardsContext, input: z.output<typeof Clear>) {
  const { amount = null, final = true, merchant = null } = input;
  return controlSandboxCards(ctx, input, async () => {
    const { card, authorization } = await purchaseOrCard(ctx, input);
    const fields = { authorization, amount, final, merchant };
    return { card, type: "clearing", data: { ...about(card, ctx.clock.now()), ...fields } };
  });
}

export function simulateRefund(ctx: CardsContext, input: z.output<typeof Refund>) {
  const { amount = null, merchant = null } = input;
  return controlSandboxCards(ctx, input, async () => {
    const { card, authorization } = await purchaseOrCard(ctx, input);
    return {
      card,
      type: "refund",
      data: { ...about(card, ctx.clock.now()), authorization, amount, merchant },
    };
  });
}

type Card = NonNullable<Awaited<ReturnType<typeof findSandboxCard>>>;

/** A message of the network before it gets its id. */
type WithoutId<Event> = Event extends unknown ? Omit<Event, "id"> & { card: Card } : never;

/**
 * Sends a message as the network, audits it, and returns the transaction afterwards. A declined purchase is returned
 * like an approved one; any other refusal is thrown.
 */
function controlSandboxCards(
  ctx: CardsContext,
  input: { organizationId?: string | undefined; networkId?: string | undefined },
  prepare: () => Promise<WithoutId<SandboxCardEvent>>,
) {
  return transactAfterProviderCall(
    ctx,
    ctx.organization.id,
    input,
    async () => {
      const { card, ...message } = await prepare();
      const id = input.networkId ?? (await messageIdOf(ctx, input, card));
      const { approved, reason } = await sendAsNetwork(ctx, { id, ...message });
      const stored = await findMessage(ctx.db, card, id);
      const isDeclined = reason !== null && stored?.transaction.declineReason === reason;
      if (!approved && !isDeclined) throw refusal(reason);
      if (stored === undefined) throw new Error("An approved message was not stored");
      return stored.transaction;
    },
    async (transaction, result) => {
      const { organizationId: _, ...details } = input;
      audit(ctx, transaction, { organizationId: result.organizationId, subject: result.id, details });
      return result;
    },
  );
}

async function issuedCard(ctx: CardsContext, cardId: string): Promise<Card> {
  const card = await findSandboxCard(ctx.db, ctx.organization.id, cardId);
  if (card === undefined) throw new Problem("CARD_NOT_FOUND");
  if (card.issuer !== "sandbox") throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  return card;
}

async function purchase(ctx: CardsContext, transactionId: string) {
  const found = await findPurchase(ctx.db, ctx.organization.id, transactionId);
  if (found === undefined) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  const { card, authorization } = found;
  if (card.issuer !== "sandbox") throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  // A refund has no authorization and is final.
  if (authorization === null) throw new Problem("TRANSACTION_FINAL");
  return { card, authorization };
}

async function purchaseOrCard(
  ctx: CardsContext,
  { transactionId, cardId = "" }: { transactionId?: string | undefined; cardId?: string | undefined },
) {
  if (transactionId !== undefined) return purchase(ctx, transactionId);
  return { card: await issuedCard(ctx, cardId), authorization: null };
}

const about = ({ reference }: Card, at: Date) => ({ card: reference!, at: at.toISOString() });

/**
 * The network's id of a message. With an idempotency key it follows from the request, so a request repeated after a
 * crash sends the same message. If the key has been freed, by a refusal or by time, the message gets a new id.
 */
async function messageIdOf(ctx: CardsContext, input: unknown, card: Card): Promise<string> {
  const { caller, procedure, idempotencyKey, clock } = ctx;
  const now = clock.now();
  if (idempotencyKey === null) return newId("evt", now);
  for (let attempt = 1; ; attempt += 1) {
    const request = JSON.stringify([callerId(caller), procedure, idempotencyKey, input, attempt]);
    const id = `key_${hash("sha256", request, "base64url")}`;
    const stored = await findMessage(ctx.db, card, id);
    const isForgotten = stored && now.getTime() - stored.receivedAt.getTime() > idempotencyRetentionMs;
    const isRefused = stored?.kind === "INCREMENT" && stored.decision?.outcome === "declined";
    if (!isForgotten && !isRefused) return id;
  }
}

const DecisionResponse = z.object({ approved: z.boolean(), reason: z.string().nullable() });

/** Sends an event through the same webhook path as any issuer, and returns the answer. */
async function sendAsNetwork(
  ctx: CardsContext,
  event: SandboxCardEvent,
): Promise<z.output<typeof DecisionResponse>> {
  const receivers = cardReceivers(ctx, actorOf(ctx));
  const receipt = await deliverSandboxEvent(ctx, receivers, { area: "cards", event });
  if (receipt.outcome !== "answered") throw new Error("The sandbox's network received no answer");
  return DecisionResponse.parse(JSON.parse(receipt.response.body));
}

/** The reason is a problem code in lower case, except for a decision that failed or timed out. */
function refusal(reason: string | null): Problem {
  const code = reason?.toUpperCase() ?? "";
  if (!Object.hasOwn(problemCatalog, code)) return new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
  return new Problem(code as ProblemCode);
}
