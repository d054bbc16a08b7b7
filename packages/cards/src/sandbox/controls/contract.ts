import { Amount, Currency, Id, Instant, explained, sharedFields } from "@purser/core";
import { z } from "zod";
import { CardChannel, MerchantInput } from "../../transactions/contract.ts";

/** Up to ten billion of the largest currencies' major units. */
const SandboxAmount = Amount.min(1).max(1_000_000_000_000);

const organizationId = Id.meta({
  ...sharedFields.organizationId,
  description:
    "The organization. The card or the transaction determines it, so it is optional. If present, they must belong to it.",
}).optional();

const acceptsPartialApproval = z
  .boolean()
  .meta(
    explained("Whether the merchant accepts an approval of less than the amount. False by default.", false),
  )
  .optional();

const ThePurchase = z.strictObject({
  organizationId,
  transactionId: Id.meta(sharedFields.cardTransactionId),
});

export const Authorize = z.strictObject({
  organizationId,
  cardId: Id.meta(sharedFields.cardId),
  amount: SandboxAmount.meta(
    explained("What the merchant requests, in minor units of `currency`, at least 1.", 6200),
  ),
  currency: Currency.meta(
    explained(
      "The currency of the purchase: ISO 4217, upper case. By default the card's; another is declined.",
      "GBP",
    ),
  ).optional(),
  merchant: MerchantInput,
  channel: CardChannel,
  at: Instant.meta(
    explained(
      "When the purchase happens, in the past or the future. By default now.",
      new Date("2026-03-18T19:48:36.000Z"),
    ),
  ).optional(),
  networkId: Id.min(1)
    .meta(
      explained("The network's id of the message. A repeated id returns the first transaction.", "message-1"),
    )
    .optional(),
  acceptsPartialApproval,
});

export const Increment = ThePurchase.extend({
  amount: SandboxAmount.meta(
    explained("The additional amount to hold, in minor units of the card's currency, at least 1.", 800),
  ),
  acceptsPartialApproval,
});

export const Reverse = ThePurchase.extend({
  amount: SandboxAmount.meta(
    explained(
      "How much of the hold to release, in minor units of the card's currency. By default all of it.",
      1200,
    ),
  ).optional(),
});

export const Expire = ThePurchase;

/** About a stored purchase, or without one: then card, amount and merchant are required. */
const purchaseOrCard = {
  organizationId,
  transactionId: Id.meta({
    ...sharedFields.cardTransactionId,
    description: "The purchase. Requires that `cardId` is absent.",
  }).optional(),
  cardId: Id.meta({
    ...sharedFields.cardId,
    description: "The card, for a transaction without a purchase. Requires `amount` and `merchant`.",
  }).optional(),
  amount: SandboxAmount.meta(
    explained(
      "In minor units of the card's currency, at least 1. By default all of the purchase. Required with `cardId`.",
      6200,
    ),
  ).optional(),
  merchant: MerchantInput.meta(
    explained("The merchant. Required with `cardId`, not allowed with `transactionId`."),
  ).optional(),
};

interface PurchaseOrCard {
  transactionId?: string | undefined;
  cardId?: string | undefined;
  amount?: number | undefined;
  merchant?: z.output<typeof MerchantInput> | undefined;
}

const namesOne = ({ transactionId, cardId }: PurchaseOrCard) =>
  (transactionId === undefined) !== (cardId === undefined);
const oneIsNamed = { path: ["transactionId"], error: "Requires either transactionId or cardId" };

const isWhole = ({ cardId, amount }: PurchaseOrCard) => cardId === undefined || amount !== undefined;
const amountIsPresent = { path: ["amount"], error: "Required with cardId" };

const hasMerchant = ({ cardId, merchant }: PurchaseOrCard) =>
  (cardId === undefined) === (merchant === undefined);
const merchantFitsCard = {
  path: ["merchant"],
  error: "Required with cardId, not allowed with transactionId",
};

export const Clear = z
  .strictObject({
    ...purchaseOrCard,
    final: z
      .boolean()
      .meta(
        explained(
          "Whether no other clearing follows. Then the rest of the hold is released. True by default, and always with `cardId`.",
          true,
        ),
      )
      .optional(),
  })
  .refine(namesOne, oneIsNamed)
  .refine(isWhole, amountIsPresent)
  .refine(hasMerchant, merchantFitsCard)
  .refine(({ cardId, final }) => cardId === undefined || final !== false, {
    path: ["final"],
    error: "Cannot be false with cardId",
  });

export const Refund = z
  .strictObject(purchaseOrCard)
  .refine(namesOne, oneIsNamed)
  .refine(isWhole, amountIsPresent)
  .refine(hasMerchant, merchantFitsCard);
