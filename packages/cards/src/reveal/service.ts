import { randomBytes } from "node:crypto";
import { Problem, addMs, dayMs, isId, invalidField } from "@purser/core";
import type { Executor } from "@purser/db";
import { findMembership } from "@purser/organizations";
import {
  actorOf,
  audit,
  callerId,
  hashSecret,
  recordAudit,
  transactInOrganization,
  changeOrganization,
} from "@purser/platform";
import type { z } from "zod";
import type { CardsContext, CardsPlatform } from "../context.ts";
import type { TheCard } from "../contract.ts";
import { recordCardChange } from "../feed-events/service.ts";
import { callIssuer } from "../issuers.ts";
import { refuseReveal } from "../rules.ts";
import { visibleCard } from "../service/access.ts";
import { type IssuedCardRow, findCard } from "../store.ts";
import type { CardComponent, CardDisplay, CardGrant } from "./ports.ts";
import {
  type RevealKey,
  type RevealRow,
  findReveal,
  insertReveal,
  purgeReveals,
  takeReveal,
} from "./store.ts";

const linkLifeMs = 60_000;
const holderOnly = {
  detail: "Only the holder of a card may see its number.",
  help: "The holder is the card's assignedToId. An owner can assign the card to another member.",
};

/**
 * Makes a link that shows the card's number once. Neither the link nor its secret is stored, so a repeat with the same
 * idempotency key is refused.
 */
export function revealCard(ctx: CardsContext, input: z.output<typeof TheCard>) {
  const { organizationId, cardId } = input;
  return transactInOrganization(
    ctx,
    organizationId,
    input,
    async (transaction) => {
      const card = await visibleCard(ctx, transaction, input);
      const userId = callerId(ctx.caller);
      const refusal = refuseReveal(card, userId);
      if (refusal !== null) throw new Problem(refusal, refusal === "FORBIDDEN" ? holderOnly : {});
      // Loads the adapter, without a request.
      requireDisplay((await ctx.issuers.at(card.issuer)).display);
      const createdAt = ctx.clock.now();
      const expiresAt = addMs(createdAt, linkLifeMs);
      const { token, hash } = newRevealToken(organizationId);
      await insertReveal(transaction, {
        organizationId,
        hash,
        cardId,
        userId,
        createdAt,
        expiresAt,
        openedAt: null,
      });
      audit(ctx, transaction, {
        organizationId,
        subject: cardId,
        details: { expiresAt: expiresAt.toISOString() },
      });
      await recordCardChange(ctx, transaction, actorOf(ctx), ["card.revealed"], card);
      // A fragment is sent to no server, so the token is in no access log and no Referer.
      return { url: `${ctx.settings.baseUrl}/cards/reveal/${card.issuer}#${token}`, expiresAt };
    },
    { isSecret: true },
  );
}

/** Why a link shows nothing: it was opened already, has expired, never existed, or its card may not be shown now. */
type EndedLink = { outcome: "opened" | "ended" };

export type CheckedReveal =
  | EndedLink
  | {
      outcome: "ready";
      lastFour: string;
      /** The issuer's id of the card, for which its component makes a nonce. */
      reference: string;
    };

export type OpenedReveal =
  | EndedLink
  | { outcome: "shown"; grant: CardGrant; expiryMonth: number; expiryYear: number };

/** What a page loads before a card is named; null for an issuer that is not configured, or not set up for it. */
export async function findCardComponent(
  { issuers }: CardsPlatform,
  issuer: string,
): Promise<CardComponent | null> {
  const name = issuers.configured.find((one) => one === issuer);
  return name === undefined ? null : ((await issuers.at(name)).display?.component ?? null);
}

/** Returns whether a link would open, without opening it. Anyone who has the link may ask. */
export async function checkReveal(platform: CardsPlatform, token: string): Promise<CheckedReveal> {
  const found = await findReadyReveal(platform, revealKeyOf(token));
  if ("outcome" in found) return found;
  const { lastFour, issuerReference } = found.card;
  return { outcome: "ready", lastFour, reference: issuerReference };
}

/**
 * Uses a link up and gets the issuer's grant for the browser that opened it. The link is used up even if the issuer
 * fails. Throws VALIDATION_FAILED without a nonce where the issuer's component makes one, and the issuer's problems.
 */
export async function openReveal(
  platform: CardsPlatform,
  token: string,
  nonce: string | null,
): Promise<OpenedReveal> {
  const key = revealKeyOf(token);
  const found = await findReadyReveal(platform, key);
  if ("outcome" in found) return found;
  const { issuer: name } = found.card;
  const { component } = requireDisplay((await platform.issuers.at(name)).display);
  if ((component.kind === "stripe-elements") !== (nonce !== null))
    throw invalidField("nonce", "Required for this issuer only");
  const card = await takeAndRecord(platform, key!);
  if (card === null) return { outcome: "opened" };
  const { expiryMonth, expiryYear } = card;
  const shown = { reference: card.issuerReference, lastFour: card.lastFour };
  const grant = await callIssuer(platform, name, (issuer) =>
    requireDisplay(issuer.display).grant(shown, { origin: new URL(platform.settings.baseUrl).origin, nonce }),
  );
  return { outcome: "shown", grant, expiryMonth, expiryYear };
}

/** Deletes the links that ended a day ago. Until then they report that they were opened already. */
export function purgeEndedReveals({ db, clock }: CardsPlatform): Promise<number> {
  return purgeReveals(db, addMs(clock.now(), -dayMs));
}

/**
 * Makes the token of a link: the organization, so that its row is found in one tenant, and a secret. Only a hash of the
 * secret is stored.
 */
function newRevealToken(organizationId: string): { token: string; hash: string } {
  const secret = randomBytes(32).toString("base64url");
  return { token: `${organizationId}.${secret}`, hash: hashSecret(secret) };
}

/** Returns the row that a token names, or null for a text of another form. */
function revealKeyOf(token: string): RevealKey | null {
  const [, organizationId = "", secret = ""] = /^(\w+)\.([\w-]{43})$/.exec(token) ?? [];
  return isId("org", organizationId) ? { organizationId, hash: hashSecret(secret) } : null;
}

function requireDisplay(display: CardDisplay | null): CardDisplay {
  if (display !== null) return display;
  throw new Problem("NOT_SUPPORTED_BY_PROVIDER", {
    detail: "The issuer of this card is not set up to show its number.",
  });
}

async function findReadyReveal(
  { db, clock }: CardsPlatform,
  key: RevealKey | null,
): Promise<EndedLink | { card: IssuedCardRow }> {
  const row = key === null ? undefined : await findReveal(db, key);
  if (row === undefined) return { outcome: "ended" };
  if (row.openedAt !== null) return { outcome: "opened" };
  const card = row.expiresAt <= clock.now() ? null : await findShowableCard(db, row);
  return card === null ? { outcome: "ended" } : { card };
}

/** Returns null if the link has been opened meanwhile, or its card may no longer be shown. */
async function takeAndRecord(platform: CardsPlatform, key: RevealKey): Promise<IssuedCardRow | null> {
  return changeOrganization(platform, key.organizationId, async (transaction) => {
    const at = platform.clock.now();
    const row = await takeReveal(transaction, key, at);
    const card = row && (await findShowableCard(transaction, row));
    if (!row || !card) return null;
    // The page needs no session, so the trail does not claim who sat there.
    recordAudit(transaction, {
      organizationId: row.organizationId,
      subject: row.cardId,
      actor: null,
      action: "cards.reveal.opened",
      at,
      details: { requestedBy: row.userId, requestedAt: row.createdAt.toISOString() },
    });
    return card;
  });
}

/** The card of a link, if the person who requested it still is a member and its holder, and its status allows it. */
async function findShowableCard(
  db: Executor,
  { organizationId, cardId, userId }: RevealRow,
): Promise<IssuedCardRow | null> {
  const card = await findCard(db, { organizationId, id: cardId });
  if (card === undefined || refuseReveal(card, userId) !== null) return null;
  return (await findMembership(db, organizationId, userId)) === undefined ? null : card;
}
