import { Problem } from "@purser/core";
import { findOrganizationOfCard, findOrganizationOfTransaction } from "@purser/cards";
import type { Resource } from "../resource.ts";

interface Named {
  /** Where it is given, what else is named must be of this organization. */
  organizationId?: string | undefined;
}

/** The organization of the card that the input names. */
export const ofCard: Resource<Named & { cardId: string }> = {
  missing: "CARD_NOT_FOUND",
  async organizationOf(db, input, { userId }) {
    return matching(input, await findOrganizationOfCard(db, userId, input.cardId));
  },
};

/** The organization of the card transaction that the input names. */
export const ofTransaction: Resource<Named & { transactionId: string }> = {
  missing: "CARD_TRANSACTION_NOT_FOUND",
  async organizationOf(db, input, { userId }) {
    return matching(input, await findOrganizationOfTransaction(db, userId, input.transactionId));
  },
};

/** The organization of the card transaction or of the card, whichever of the two the input names. */
export const ofTransactionOrCard: Resource<
  Named & { transactionId?: string | undefined; cardId?: string | undefined }
> = {
  missing: ofTransaction.missing,
  async organizationOf(db, { transactionId, cardId = "", ...named }, caller) {
    if (transactionId !== undefined) {
      return ofTransaction.organizationOf(db, { ...named, transactionId }, caller);
    }
    const organizationId = await ofCard.organizationOf(db, { ...named, cardId }, caller);
    if (organizationId === null) throw new Problem(ofCard.missing);
    return organizationId;
  },
};

function matching(named: Named, found: string | null): string | null {
  return named.organizationId === undefined || named.organizationId === found ? found : null;
}
