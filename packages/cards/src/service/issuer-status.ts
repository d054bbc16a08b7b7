import { Problem } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import { inLockQueue } from "../authorizations/service/lock-queue.ts";
import { cardJobs } from "../job-definitions.ts";
import type { IssuerCardStatus, IssuerName } from "../ports.ts";
import { lockIssuedCard, setCard } from "../store.ts";
import { setStatus } from "./status.ts";

/**
 * Records the status of a card at its issuer. Closed there is closed here. A card that is open there and not here is set
 * again at the issuer. A card that only the issuer suspended keeps its status: we do not know why, and do not overrule it.
 * Reports may be late and in any order. Returns false if nothing changes. Throws CARD_NOT_FOUND.
 */
export function recordIssuerStatus(
  platform: EventPlatform & Pick<Platform, "db" | "nodes" | "outbox">,
  issuer: IssuerName,
  { card: reference, status }: IssuerCardStatus,
): Promise<boolean> {
  return inLockQueue(platform, { issuer, reference }, async (transaction, locked) => {
    const card = locked && (await lockIssuedCard(transaction, locked));
    if (card === undefined) throw new Problem("CARD_NOT_FOUND");
    if (status === "closed" && card.status !== "CLOSED") {
      const act = { actor: null, action: "cards.closedByIssuer" };
      await setStatus(platform, transaction, act, card, "CLOSED", "The issuer has closed the card.");
      return true;
    }
    if (status !== "open" || card.status === "ACTIVE") return false;
    // A process of an earlier version repeats a change of the same version, which issuers then ignore.
    await setCard(transaction, card, {});
    const { organizationId, id: cardId } = card;
    await platform.outbox.enqueue(transaction, cardJobs.status, { organizationId, cardId });
    return true;
  });
}
