import { createHash } from "node:crypto";
import { Problem, type ProblemCode, problemCatalog, newId } from "@purser/core";
import { z } from "zod";
import { cardReceivers } from "../../webhooks.ts";
import type { SandboxCardEvent } from "../mapping.ts";
import { audit } from "@purser/platform";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import { transactAfterProviderCall } from "@purser/platform";
import type { CardsContext } from "../../context.ts";
import type { Authorize, Clear, Expire, Increment, Refund, Reverse } from "./contract.ts";
import { findCard, findMessage, findPurchase } from "./store.ts";

export function authorize(ctx: CardsContext, input: z.output<typeof Authorize>) {
  const { cardId, amount, currency, merchant, channel, at = ctx.clock.now() } = input;
  return control(ctx, input, async () => {
    const card = await issuedCard(ctx, cardId);
    const facts = { amount, currency: currency ?? card.currency, merchant, channel };
    return { card, type: "authorization.request", data: { ...about(card, at), ...facts } };
  });
}

export function increment(ctx: CardsContext, input: z.output<typeof Increment>) {
  const { transactionId, amount } = input;
  return control(ctx, input, async () => {
    const { card, authorization } = await purchase(ctx, transactionId);
    return {
      card,
      type: "increment.request",
      data: { ...about(card, ctx.clock.now()), authorization, amount },
    };
  });
}

export function reverse(ctx: CardsContext, input: z.output<typeof Reverse>) {
  const { transactionId, amount = null } = input;
  return control(ctx, input, async () => {
    const { card, authorization } = await purchase(ctx, transactionId);
    return { card, type: "reversal", data: { ...about(card, ctx.clock.now()), authorization, amount } };
  });
}

export function expire(ctx: CardsContext, input: z.output<typeof Expire>) {
  return control(ctx, input, async () => {
    const { card, authorization } = await purchase(ctx, input.transactionId);
    return { card, type: "expiry", data: { ...about(card, ctx.clock.now()), authorization } };
  });
}

export function clear(ctx: CardsContext, input: z.output<typeof Clear>) {
  const { amount = null, final = true, merchant = null } = input;
  return control(ctx, input, async () => {
    const { card, authorization } = await purchaseOrCard(ctx, input);
    const facts = { authorization, amount, final, merchant };
    return { card, type: "clearing", data: { ...about(card, ctx.clock.now()), ...facts } };
  });
}

export function refund(ctx: CardsContext, input: z.output<typeof Refund>) {
  const { amount = null, merchant = null } = input;
  return control(ctx, input, async () => {
    const { card, authorization } = await purchaseOrCard(ctx, input);
    return {
      card,
      type: "refund",
      data: { ...about(card, ctx.clock.now()), authorization, amount, merchant },
    };
  });
}

type Card = NonNullable<Awaited<ReturnType<typeof findCard>>>;

/** What the network is to say, but for the name of the message. */
type Unnamed<Event> = Event extends unknown ? Omit<Event, "id"> & { card: Card } : never;

/**
 * Lets the network say something, gives the transaction as it is then, and puts on record that it was done by hand.
 * What the network is refused, is thrown; only a declined purchase is on record, and is given like any other.
 */
function control(
  ctx: CardsContext,
  input: { organizationId?: string | undefined; networkId?: string | undefined },
  say: () => Promise<Unnamed<SandboxCardEvent>>,
) {
  return transactAfterProviderCall(
    ctx,
    input,
    async () => {
      const { card, ...message } = await say();
      const id = input.networkId ?? (await nameOf(ctx, input, card));
      const { approved, reason } = await tell(ctx, { id, ...message });
      const told = await findMessage(ctx.db, card, id);
      const isDeclined = reason !== null && told?.transaction.declineReason === reason;
      if (!approved && !isDeclined) throw refusal(reason);
      if (told === undefined) throw new Error("What the network said has left no trace");
      return told.transaction;
    },
    async (transaction, result) => {
      const { organizationId: _, ...details } = input;
      await audit(ctx, transaction, { organizationId: result.organizationId, subject: result.id, details });
      return result;
    },
  );
}

async function issuedCard(ctx: CardsContext, cardId: string): Promise<Card> {
  const card = await findCard(ctx.db, ctx.organization.id, cardId);
  if (card === undefined) throw new Problem("CARD_NOT_FOUND");
  if (card.issuer !== "sandbox") throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  return card;
}

async function purchase(ctx: CardsContext, transactionId: string) {
  const found = await findPurchase(ctx.db, ctx.organization.id, transactionId);
  if (found === undefined) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  const { card, authorization } = found;
  if (card.issuer !== "sandbox") throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  // The network has no name for a refund: nothing happens to one any more.
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

/** How long idempotency keys are kept. */
const keptMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The network's name of a message. Under an idempotency key it follows from the request, so that one that is repeated
 * after a crash says nothing new. But what a failure has freed the key of, or time, is to be said anew.
 */
async function nameOf(ctx: CardsContext, input: unknown, card: Card): Promise<string> {
  const { caller, procedure, idempotencyKey, clock } = ctx;
  const now = clock.now();
  if (idempotencyKey === null) return newId("evt", now);
  for (let attempt = 1; ; attempt += 1) {
    const request = JSON.stringify([caller.userId, procedure, idempotencyKey, input, attempt]);
    const name = `key_${createHash("sha256").update(request).digest("base64url")}`;
    const told = await findMessage(ctx.db, card, name);
    const isForgotten = told && now.getTime() - told.receivedAt.getTime() > keptMilliseconds;
    const isRefused = told?.kind === "INCREMENT" && told.decision?.["outcome"] === "declined";
    if (!isForgotten && !isRefused) return name;
  }
}

const Answer = z.object({ approved: z.boolean(), reason: z.string().nullable() });

/** Says something through the door that every network comes in by, and gives its answer. */
async function tell(ctx: CardsContext, event: SandboxCardEvent): Promise<z.output<typeof Answer>> {
  const receipt = await deliverSandboxEvent(ctx, cardReceivers(ctx), { area: "cards", event });
  if (receipt.outcome !== "answered") throw new Error("The sandbox's network got no answer");
  return Answer.parse(JSON.parse(receipt.answer.body));
}

/** What the network was told is the code of a problem in lower case, but where nobody could decide in time. */
function refusal(reason: string | null): Problem {
  const code = reason?.toUpperCase() ?? "";
  if (!Object.hasOwn(problemCatalog, code)) return new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
  return new Problem(code as ProblemCode);
}
