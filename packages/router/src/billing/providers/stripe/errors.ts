import { stripeErrors } from "../../../platform/providers/stripe/errors.ts";
import { BillingError } from "../../ports.ts";

/** Stripe's errors in the words of billing. */
export const { stripeError, readable } = stripeErrors(BillingError, "not_found");
