import { Amount, Currency, Id, Instant } from "@purser/core";
import { z } from "zod";
import { Channel, Merchant } from "../../transactions/contract.ts";

/** In minor units of the card's currency, up to ten billion of the largest currencies' major units. */
const SandboxAmount = Amount.min(1).max(1_000_000_000_000);

/** Need not be named: the card or its transaction tells. Where it is, they must be its own. */
const organizationId = Id.optional();

const ThePurchase = z.strictObject({ organizationId, transactionId: Id });

export const Authorize = z.strictObject({
  organizationId,
  cardId: Id,
  amount: SandboxAmount,
  /** Absent: the card's. */
  currency: Currency.optional(),
  merchant: Merchant,
  channel: Channel,
  /** Absent: now. */
  at: Instant.optional(),
  /** The network's own id of the message: the same one again gives the same transaction. */
  networkId: Id.min(1).optional(),
});

export const Increment = ThePurchase.extend({
  /** What is to be held in addition. */
  amount: SandboxAmount,
});

export const Reverse = ThePurchase.extend({
  /** Absent: all of the hold. */
  amount: SandboxAmount.optional(),
});

export const Expire = ThePurchase;

/** Of a purchase that is on record, or out of the blue: then the message says on which card, how much, and by whom. */
const purchaseOrCard = {
  organizationId,
  transactionId: Id.optional(),
  cardId: Id.optional(),
  /** Absent: all of it. */
  amount: SandboxAmount.optional(),
  merchant: Merchant.optional(),
};

interface PurchaseOrCard {
  transactionId?: string | undefined;
  cardId?: string | undefined;
  amount?: number | undefined;
  merchant?: z.output<typeof Merchant> | undefined;
}

const namesOne = ({ transactionId, cardId }: PurchaseOrCard) =>
  (transactionId === undefined) !== (cardId === undefined);
const oneIsNamed = { path: ["transactionId"], error: "Name a transaction or a card" };

const isWhole = ({ cardId, amount }: PurchaseOrCard) => cardId === undefined || amount !== undefined;
const amountIsTold = { path: ["amount"], error: "Without a transaction there must be an amount" };

const hasMerchant = ({ cardId, merchant }: PurchaseOrCard) =>
  (cardId === undefined) === (merchant === undefined);
const merchantIsTold = {
  path: ["merchant"],
  error: "Belongs to a card, and must be there without a transaction",
};

export const Clear = z
  .strictObject({
    ...purchaseOrCard,
    /** Whether no other clearing follows, which gives back what is still held. Absent: true. */
    final: z.boolean().optional(),
  })
  .refine(namesOne, oneIsNamed)
  .refine(isWhole, amountIsTold)
  .refine(hasMerchant, merchantIsTold)
  .refine(({ cardId, final }) => cardId === undefined || final === undefined, {
    path: ["final"],
    error: "Only for a transaction",
  });

export const Refund = z
  .strictObject(purchaseOrCard)
  .refine(namesOne, oneIsNamed)
  .refine(isWhole, amountIsTold)
  .refine(hasMerchant, merchantIsTold);
