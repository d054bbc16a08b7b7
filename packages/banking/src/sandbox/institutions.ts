import { foldText, hasWordsOf } from "@purser/core";
import { BankError, type Institution, type InstitutionSearch } from "../ports.ts";
import { type Numbering, british, domestic, frenchForm, international } from "./account-numbers.ts";

/** A fictional bank and its products. */
export interface SandboxInstitution extends Institution {
  /** How many days of history the bank has when a customer is first read. */
  historyDays: number;
  /** The currency of its country. */
  currency: string;
  /** The value of a British penny in minor units of that currency. */
  perPenny: number;
  numbering: Numbering;
  /** The names of its products. */
  products: { current: string; saver: string; card: string; portfolio: string; abroad: string };
  /** The currency of the travel account, and the value of a British penny in its minor units. */
  abroad: { currency: string; perPenny: number };
}

const english = { current: "Current Account", saver: "Easy Saver", card: "Rewards Credit Card" };
const euro = { currency: "EUR", perPenny: 1.15 };
const dollar = { currency: "USD", perPenny: 1.3 };
const bank = { logoUrl: null, historyDays: 730 };

const institutions: readonly SandboxInstitution[] = [
  {
    ...bank,
    id: "sandbox-bank",
    name: "Sandbox Bank",
    country: "GB",
    currency: "GBP",
    perPenny: 1,
    numbering: british("SBXB", "040077"),
    products: { ...english, portfolio: "Stocks & Shares ISA", abroad: "Euro Account" },
    abroad: euro,
  },
  {
    ...bank,
    id: "harbour-vale",
    name: "Harbour & Vale",
    country: "GB",
    currency: "GBP",
    perPenny: 1,
    numbering: british("HVLE", "608319"),
    products: { ...english, portfolio: "Share Dealing Account", abroad: "US Dollar Account" },
    abroad: dollar,
  },
  {
    // A young bank that is quick to read: for tests, and for trying out a short history.
    ...bank,
    historyDays: 30,
    id: "sprout-bank",
    name: "Sprout Bank",
    country: "GB",
    currency: "GBP",
    perPenny: 1,
    numbering: british("SPRT", "207461"),
    products: { ...english, portfolio: "Starter Portfolio", abroad: "Euro Wallet" },
    abroad: euro,
  },
  {
    ...bank,
    id: "liffey-mutual",
    name: "Liffey Mutual",
    country: "IE",
    ...euro,
    numbering: international("IE", (chance) => `LFMU990211${chance.digits(8)}`),
    products: { ...english, portfolio: "Investment Account", abroad: "Sterling Account" },
    abroad: { currency: "GBP", perPenny: 1 },
  },
  {
    ...bank,
    id: "nordlicht-bank",
    name: "Nordlicht Bank",
    country: "DE",
    ...euro,
    numbering: international("DE", (chance) => `20099010${chance.digits(10)}`),
    products: {
      current: "Girokonto",
      saver: "Tagesgeldkonto",
      card: "Kreditkarte Gold",
      portfolio: "Wertpapierdepot",
      abroad: "US-Dollar-Konto",
    },
    abroad: dollar,
  },
  {
    ...bank,
    id: "credit-du-mistral",
    name: "Crédit du Mistral",
    country: "FR",
    ...euro,
    numbering: international("FR", (chance) => frenchForm("39917", "00412", chance.digits(11))),
    products: {
      current: "Compte courant",
      saver: "Livret épargne",
      card: "Carte de crédit",
      portfolio: "Plan d'épargne en actions",
      abroad: "Compte en livres sterling",
    },
    abroad: { currency: "GBP", perPenny: 1 },
  },
  {
    ...bank,
    id: "prairie-trust",
    name: "Prairie Trust",
    country: "US",
    ...dollar,
    numbering: domestic("ach", "091099991", 12),
    products: {
      current: "Everyday Checking",
      saver: "High-Yield Savings",
      card: "Cash Back Visa",
      portfolio: "Brokerage",
      abroad: "Canadian Dollar Account",
    },
    abroad: { currency: "CAD", perPenny: 1.75 },
  },
  {
    ...bank,
    id: "kawasemi-bank",
    name: "Kawasemi Bank",
    country: "JP",
    currency: "JPY",
    perPenny: 1.9,
    numbering: domestic("zengin", "9901-214", 7),
    products: {
      current: "普通預金",
      saver: "定期預金",
      card: "クレジットカード",
      portfolio: "投資信託口座",
      abroad: "米ドル預金",
    },
    abroad: dollar,
  },
  {
    ...bank,
    id: "gulf-pearl-bank",
    name: "Gulf Pearl Bank",
    country: "KW",
    currency: "KWD",
    perPenny: 3.9,
    numbering: international("KW", (chance) => `GPLB0000000000${chance.digits(12)}`),
    products: { ...english, portfolio: "Investment Portfolio", abroad: "US Dollar Account" },
    abroad: dollar,
  },
];

/** Institutions whose name has the words of the query, in any order. Names that start with it come first. */
export function searchInstitutions({ query = "", country }: InstitutionSearch): SandboxInstitution[] {
  const sought = foldText(query).trim();
  const startsWithQuery = ({ name }: Institution) => Number(foldText(name).startsWith(sought));
  return institutions
    .filter(
      (one) => (country === undefined || one.country === country) && hasWordsOf(foldText(one.name), sought),
    )
    .toSorted((one, other) => startsWithQuery(other) - startsWithQuery(one));
}

/** Finds an institution. Throws {@link BankError} `institution_not_found`. */
export function findInstitution(id: string): SandboxInstitution {
  const found = institutions.find((institution) => institution.id === id);
  if (found === undefined)
    throw new BankError("institution_not_found", "The sandbox has no such institution");
  return found;
}

/** The public fields of an institution. */
export function toInstitution({ id, name, country, logoUrl }: SandboxInstitution): Institution {
  return { id, name, country, logoUrl };
}
