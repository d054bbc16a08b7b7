import { findOrganizationOfCard, findOrganizationOfTransaction } from "@purser/cards";
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
import type { Resource } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

interface Named {
  /** If present, the named card or transaction must belong to this organization. */
  organizationId?: string | undefined;
}

/** The organization of the card in the input. */
const ofCard: Resource<Named & { cardId: string }> = {
  missing: "CARD_NOT_FOUND",
  async organizationOf(db, input, { userId }) {
    return matching(input, await findOrganizationOfCard(db, userId, input.cardId));
  },
};

/** The organization of the card transaction in the input. */
const ofTransaction: Resource<Named & { transactionId: string }> = {
  missing: "CARD_TRANSACTION_NOT_FOUND",
  async organizationOf(db, input, { userId }) {
    return matching(input, await findOrganizationOfTransaction(db, userId, input.transactionId));
  },
};

/** The organization of the card transaction in the input or, without one, of the card. */
const ofTransactionOrCard: Resource<
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

/** What every control refuses: only an owner has them, and only for cards that the sandbox has issued. */
const refusals: ProblemCode[] = ["FORBIDDEN", "NOT_SUPPORTED_BY_PROVIDER"];

/** Why a purchase of a card is declined: as the reason of a transaction, or as the refusal of an increment. */
const declines: ProblemCode[] = [
  "CARD_CLOSED",
  "CARD_FROZEN",
  "CARD_PAUSED",
  "CARD_EXPIRED",
  "CURRENCY_NOT_SUPPORTED",
  "POLICY_NOT_STARTED",
  "POLICY_EXPIRED",
  "DAY_NOT_ALLOWED",
  "ATM_NOT_ALLOWED",
  "ONLINE_NOT_ALLOWED",
  "INTERNATIONAL_NOT_ALLOWED",
  "MERCHANT_CATEGORY_NOT_ALLOWED",
  "MERCHANT_BLOCKED",
  "TRANSACTION_LIMIT_EXCEEDED",
  "DAILY_LIMIT_EXCEEDED",
  "WEEKLY_LIMIT_EXCEEDED",
  "MONTHLY_LIMIT_EXCEEDED",
];

export const cards = {
  authorize: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/authorize" },
      summary:
        "Lets a merchant ask for a purchase on a card. It is decided on like any other, and a declined one is answered like an approved one.",
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
        "Lets a merchant ask for more on top of what is held. Where it is declined, the reason is the code of the error.",
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
        "Lets a merchant give back some of the hold, or all of it: then the purchase does not come about.",
      errors: [...refusals, "CARD_TRANSACTION_NOT_FOUND", "TRANSACTION_FINAL", "AMOUNT_EXCEEDS_HOLD"],
    })
    .input(Reverse)
    .output(CardTransaction)
    .use(inOrganization("owner", ofTransaction))
    .mutation(({ ctx, input }) => simulateReversal(ctx, input)),

  expire: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/expire" },
      summary: "Lets a hold expire now, as it does by itself where nobody clears it.",
      errors: [...refusals, "CARD_TRANSACTION_NOT_FOUND", "TRANSACTION_FINAL"],
    })
    .input(Expire)
    .output(CardTransaction)
    .use(inOrganization("owner", ofTransaction))
    .mutation(({ ctx, input }) => simulateExpiry(ctx, input)),

  clear: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/cards/clear" },
      summary: "Lets a merchant take the money of a purchase; or of a card, without having asked before.",
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
        "Lets a merchant give money back: of a purchase, or just to a card. It is a transaction of its own.",
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
