import { stripeErrors } from "../errors.ts";
import { IssuerError } from "@purser/cards/ports";

/** Stripe's errors in the words of cards. */
export const { stripeError, readable } = stripeErrors(IssuerError, "card_not_found");
