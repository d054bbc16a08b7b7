import { IssuerError } from "@purser/cards/ports";
import { stripeErrors } from "../errors.ts";

export const issuingErrors = stripeErrors(IssuerError, "card_not_found");

/** Whether Stripe repeats this failure to the same idempotency key for a day, whatever the request has done. */
export const isStoredFailure = (error: unknown): boolean =>
  IssuerError.is(error, "outage") && error.isStoredAtProvider;
