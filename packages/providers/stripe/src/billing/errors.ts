import { stripeErrors } from "../errors.ts";
import { BillingError } from "@purser/billing/ports";

/** Stripe's errors in the words of billing. */
export const { stripeError, readable } = stripeErrors(BillingError, "not_found");
