import { cardholderDetailNames } from "@purser/core";
import type { z } from "zod";
import type { CardholderDetailName, CardholderDetails } from "../ports.ts";
import type { UpdateCardholder } from "./contract.ts";

/** The fields of an update that change details. */
export type DetailsPatch = Omit<z.output<typeof UpdateCardholder>, "organizationId">;

/** The details after an update. `acceptance` records where and when the caller accepted the terms. */
export function patchDetails(
  before: CardholderDetails,
  { acceptsTerms, ...patch }: DetailsPatch,
  acceptance: NonNullable<CardholderDetails["termsAcceptance"]>,
): CardholderDetails {
  const changes = Object.entries({ ...patch, ...(acceptsTerms && { termsAcceptance: acceptance }) });
  const present = changes.filter(([, value]) => value !== undefined);
  const after = Object.entries({ ...before, ...Object.fromEntries(present) });
  return Object.fromEntries(after.filter(([, value]) => value !== null));
}

/** The names of the details that differ. */
export function changedDetails(before: CardholderDetails, after: CardholderDetails): CardholderDetailName[] {
  return cardholderDetailNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

export const providedDetails = (details: CardholderDetails): CardholderDetailName[] =>
  cardholderDetailNames.filter((name) => details[name] !== undefined);

const inWords: Record<CardholderDetailName, string> = {
  // The same letters as on the card.
  name: "name in Latin letters",
  dateOfBirth: "date of birth",
  phoneNumber: "phone number",
  address: "postal address in a country of the issuer's program, with the code of its state",
  termsAcceptance: "acceptance of the issuer's terms",
  governmentId: "government id",
};

/** Says to callers what is missing, and who can provide it. */
export function missingDetailsSentence(missing: readonly CardholderDetailName[]): string {
  const list = new Intl.ListFormat("en").format(missing.map((name) => inWords[name]));
  return `The card issuer requires more about the cardholder: ${list}. The cardholder provides it with cards.cardholder.update.`;
}
