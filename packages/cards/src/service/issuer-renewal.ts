import { Problem } from "@purser/core";
import { type Platform, recordAudit } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import { inLockQueue } from "../authorizations/service/lock-queue.ts";
import { recordCardChange } from "../feed-events/service.ts";
import type { IssuerCardRenewal, IssuerName } from "../ports.ts";
import { lockIssuedCard, setCard } from "../store.ts";

/**
 * Records that the issuer renewed a card. Reports may be late and in any order, so only a later expiry counts. Returns false
 * if nothing changes. Throws CARD_NOT_FOUND.
 */
export function recordIssuerRenewal(
  platform: EventPlatform & Pick<Platform, "db" | "nodes">,
  issuer: IssuerName,
  { card: reference, expiryMonth, expiryYear }: IssuerCardRenewal,
): Promise<boolean> {
  return inLockQueue(platform, { issuer, reference }, async (transaction, locked) => {
    const card = locked && (await lockIssuedCard(transaction, locked));
    if (card === undefined) throw new Problem("CARD_NOT_FOUND");
    const expiry = { expiryMonth, expiryYear };
    if (monthsOf(expiry) <= monthsOf(card)) return false;
    const { organizationId, id: subject } = card;
    await setCard(transaction, card, expiry);
    const by = { actor: null, action: "cards.renewedByIssuer", at: platform.clock.now() };
    recordAudit(transaction, { ...by, organizationId, subject, details: expiry });
    await recordCardChange(platform, transaction, null, ["card.updated"], { ...card, ...expiry });
    return true;
  });
}

const monthsOf = ({ expiryMonth, expiryYear }: Record<"expiryMonth" | "expiryYear", number>) =>
  expiryYear * 12 + expiryMonth;
