import { Amount, Currency, Id, Instant } from "@purser/core";
import { z } from "zod";
import { CardChannel, MerchantInput } from "../../transactions/contract.ts";

/** In minor units of the card's currency, up to ten billion of the largest currencies' major units. */
const SandboxAmount = Amount.min(1).max(1_000_000_000_000);

/** Optional: the card or transaction determines it. If present, they must belong to it. */
const organizationId = Id.optional();

/** Whether the merchant accepts an approval of less than the amount. False by default. */
const acceptsPartialApproval = z.boolean().optional();

const ThePurchase = z.strictObject({ organizationId, transactionId: Id });

export const Authorize = z.strictObject({
  organizationId,
  cardId: Id,
  amount: SandboxAmount,
  /** The card's by default. */
  currency: Currency.optional(),
  merchant: MerchantInput,
  channel: CardChannel,
  /** Now by default. */
  at: Instant.optional(),
  /** The network's id of the message. A repeated id returns the first transaction. */
  networkId: Id.min(1).optional(),
  acceptsPartialApproval,
});

export const Increment = ThePurchase.extend({
  /** The additional amount to hold. */
  amount: SandboxAmount,
  acceptsPartialApproval,
});

export const Reverse = ThePurchase.extend({
  /** The whole hold by default. */
  amount: SandboxAmount.optional(),
});

export const Expire = ThePurchase;

/** About a stored purchase, or without one: then card, amount and merchant are required. */
const purchaseOrCard = {
  organizationId,
  transactionId: Id.optional(),
  cardId: Id.optional(),
  /** The whole amount by default. */
  amount: SandboxAmount.optional(),
  merchant: MerchantInput.optional(),
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
    /** Whether no other clearing follows; then the rest of the hold is released. True by default. */
    final: z.boolean().optional(),
  })
  .refine(namesOne, oneIsNamed)
  .refine(isWhole, amountIsPresent)
  .refine(hasMerchant, merchantFitsCard)
  .refine(({ cardId, final }) => cardId === undefined || final === undefined, {
    path: ["final"],
    error: "Not allowed with cardId",
  });

export const Refund = z
  .strictObject(purchaseOrCard)
  .refine(namesOne, oneIsNamed)
  .refine(isWhole, amountIsPresent)
  .refine(hasMerchant, merchantFitsCard);
