import type { RandomSource } from "@purser/core";

/** The identifiers of an account at its bank. They never change. */
export interface AccountNumber {
  accountNumber: string | null;
  sortCode: string | null;
  /** As `scheme:value`. */
  identifiers: string[];
}

/** The account number format of a country. */
export type Numbering = (chance: RandomSource) => AccountNumber;

/** A British sort code and account number, and the IBAN that holds both. */
export const british =
  (bank: string, sortCode: string): Numbering =>
  (chance) => {
    const accountNumber = chance.digits(8);
    const identifiers = [
      `bacs:${sortCode}/${accountNumber}`,
      `iban:${iban("GB", bank + sortCode + accountNumber)}`,
    ];
    return { accountNumber, sortCode, identifiers };
  };

/** An IBAN: the country's own account number with check digits in front. */
export const international =
  (country: string, ownForm: (chance: RandomSource) => string): Numbering =>
  (chance) => {
    const accountNumber = iban(country, ownForm(chance));
    return { accountNumber, sortCode: null, identifiers: [`iban:${accountNumber}`] };
  };

/** A bank code and an account number that are unique only within their country. */
export const domestic =
  (scheme: string, bank: string, length: number): Numbering =>
  (chance) => {
    const accountNumber = chance.digits(length);
    return { accountNumber, sortCode: null, identifiers: [`${scheme}:${bank}/${accountNumber}`] };
  };

/** Cards and investment accounts have no payment details. The bank identifies them by a permanent reference. */
export const referenceOnly: Numbering = (chance) => ({
  accountNumber: null,
  sortCode: null,
  identifiers: [`sandbox:${chance.digits(16)}`],
});

/** French account numbers end with their own check digits. */
export function frenchForm(bank: string, branch: string, account: string): string {
  const key = 97n - ((89n * BigInt(bank) + 15n * BigInt(branch) + 3n * BigInt(account)) % 97n);
  return bank + branch + account + String(key).padStart(2, "0");
}

/** ISO 13616: letters count from A = 10, and the whole number modulo 97 is 1. */
function iban(country: string, ownForm: string): string {
  const digits = `${ownForm}${country}00`.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(digits) % 97n);
  return country + String(check).padStart(2, "0") + ownForm;
}
