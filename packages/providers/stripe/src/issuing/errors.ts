import { IssuerError } from "@purser/cards/ports";
import { stripeErrors } from "../errors.ts";

export const issuingErrors = stripeErrors(IssuerError, "card_not_found");
