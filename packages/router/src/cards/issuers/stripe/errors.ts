import { stripeErrors } from "../../../platform/providers/stripe/errors.ts";
import { IssuerError } from "../../ports.ts";

/** Stripe's errors in the words of cards. */
export const { stripeError, readable } = stripeErrors(IssuerError, "card_not_found");
