import {
  type DeclineReason,
  declineReasons,
  findOrganizationOfCard,
  findOrganizationOfTransaction,
} from "@purser/cards";
import {
  Authorize,
  Clear,
  Expire,
  Increment,
  Refund,
  Reverse,
  simulateAuthorization,
  simulateClearing,
  simulateExpiry,
  simulateIncrement,
  simulateRefund,
  simulateReversal,
} from "@purser/cards/sandbox";
import { CardTransaction } from "@purser/cards/transactions";
import { Problem, type ProblemCode } from "@purser/core";
import type { OrganizationLookup } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

interface OptionalOrganization {
  /** If present, the card or transaction must belong to this organization. */
  organizationId?: string | undefined;
}

/** The organization of the card in the input. */
const ofCard: OrganizationLookup<OptionalOrganization & { cardId: string }> = {
  missing: "CARD_NOT_FOUND",
  async organizationOf(db, input, caller) {
    return matching(input, await findOrganizationOfCard(db, caller, input.cardId));
  },
};

/** The organization of the card transaction in the input. */
const ofTransaction: OrganizationLookup<OptionalOrganization & { transactionId: string }> = {
  missing: "CARD_TRANSACTION_NOT_FOUND",
  async organizationOf(db, input, caller) {
    return matching(input, await findOrganizationOfTransaction(db, caller, input.transactionId));
  },
};

/** The organization of the card transaction in the input or, without one, of the card. */
const ofTransactionOrCard: OrganizationLookup<
  OptionalOrganization & { transactionId?: string | undefined; cardId?: string | undefined }
> = {
  missing: ofTransaction.missing,
  async organizationOf(db, { transactionId, cardId = "", ...rest }, caller) {
    if (transactionId !== undefined) {
      return ofTransaction.organizationOf(db, { ...rest, transactionId }, caller);
    }
    const organizationId = await ofCard.organizationOf(db, { ...rest, cardId }, caller);
    if (organizationId === null) throw new Problem(ofCard.missing);
    return organizationId;
  },
};

function matching(input: OptionalOrganization, found: string | null): string | null {
  return input.organizationId === undefined || input.organizationId === found ? found : null;
}

/** Controls are for owners, and for cards that the sandbox issued. */
const refusals: ProblemCode[] = ["FORBIDDEN", "NOT_SUPPORTED_BY_PROVIDER"];

/** The code of a declined increment is the decline reason in upper case. */
const declines = declineReasons.map(
  (reason) => reason.toUpperCase() as Uppercase<DeclineReason>,
) satisfies ProblemCode[];

export const cards = {
  authorize: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/authorize" },
      summary:
        "Simulates an authorization request for a purchase with a card. Returns the transaction, whether it is approved or declined.",
      access: "owner",
      returns: "The card transaction, PENDING if approved and DECLINED if not.",
      errors: [...refusals, "CARD_NOT_FOUND"],
    })
    .input(Authorize)
    .output(CardTransaction)
    .use(inOrganization("owner", ofCard))
    .mutation(({ ctx, input }) => simulateAuthorization(ctx, input)),

  increment: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/increment" },
      summary:
        "Simulates a request to hold more for a purchase. If it is declined, the error code is the decline reason.",
      access: "owner",
      returns: "The card transaction with the larger hold.",
      errors: [...refusals, "CARD_TRANSACTION_NOT_FOUND", "TRANSACTION_FINAL", ...declines],
    })
    .input(Increment)
    .output(CardTransaction)
    .use(inOrganization("owner", ofTransaction))
    .mutation(({ ctx, input }) => simulateIncrement(ctx, input)),

  reverse: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/reverse" },
      summary:
        "Simulates a reversal, which releases a part of a hold or all of it. A fully reversed purchase is DECLINED.",
      access: "owner",
      returns: "The card transaction with the smaller hold, or DECLINED without one.",
      errors: [...refusals, "CARD_TRANSACTION_NOT_FOUND", "TRANSACTION_FINAL", "AMOUNT_EXCEEDS_HOLD"],
    })
    .input(Reverse)
    .output(CardTransaction)
    .use(inOrganization("owner", ofTransaction))
    .mutation(({ ctx, input }) => simulateReversal(ctx, input)),

  expire: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/expire" },
      summary: "Expires a hold now instead of at its expiry date.",
      access: "owner",
      returns: "The card transaction, DECLINED.",
      errors: [...refusals, "CARD_TRANSACTION_NOT_FOUND", "TRANSACTION_FINAL"],
    })
    .input(Expire)
    .output(CardTransaction)
    .use(inOrganization("owner", ofTransaction))
    .mutation(({ ctx, input }) => simulateExpiry(ctx, input)),

  clear: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/clear" },
      summary:
        "Simulates a clearing: of a purchase, or with a card alone for a clearing without an authorization.",
      access: "owner",
      returns: "The card transaction, COMPLETED after its final clearing.",
      errors: [...refusals, "CARD_TRANSACTION_NOT_FOUND", "CARD_NOT_FOUND", "TRANSACTION_FINAL"],
    })
    .input(Clear)
    .output(CardTransaction)
    .use(inOrganization("owner", ofTransactionOrCard))
    .mutation(({ ctx, input }) => simulateClearing(ctx, input)),

  refund: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/refund" },
      summary:
        "Simulates a refund of a purchase, or with a card alone a refund without one. The refund is a separate transaction.",
      access: "owner",
      returns: "The card transaction of the refund, COMPLETED and with a negative amount.",
      errors: [
        ...refusals,
        "CARD_TRANSACTION_NOT_FOUND",
        "CARD_NOT_FOUND",
        "TRANSACTION_FINAL",
        "TRANSACTION_NOT_SETTLED",
        "AMOUNT_EXCEEDS_CLEARED",
      ],
    })
    .input(Refund)
    .output(CardTransaction)
    .use(inOrganization("owner", ofTransactionOrCard))
    .mutation(({ ctx, input }) => simulateRefund(ctx, input)),
};
