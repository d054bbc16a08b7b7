import type { CardBehavior } from "./lifecycle.ts";

/** A card as typed into a form. */
export interface CardForm {
  number: string;
  /** Month and year: 12/30, 12 / 2030. */
  expiry: string;
  cvc: string;
  /** The name on the card. */
  name: string;
}

/** The stored part of a card. The number is never stored. */
export interface SandboxCard {
  behavior: CardBehavior;
  brand: string;
  lastFour: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface CardRefusal {
  outcome: "declined" | "invalid";
  /** The first field to correct. */
  field?: keyof CardForm;
  /** Shown to the customer. */
  message: string;
  /** What is wrong with each field of an invalid form, in the order of the form. */
  faults?: CardFaults;
}

type CardFaults = Partial<Record<keyof CardForm, string>>;

/** Stripe's published test numbers. They belong to no account. */
const testCards: Readonly<Record<string, { brand: string; behavior: CardBehavior | "declined" }>> = {
  "4242424242424242": { brand: "Visa", behavior: "succeeds" },
  "5555555555554444": { brand: "Mastercard", behavior: "succeeds" },
  "4000000000000002": { brand: "Visa", behavior: "declined" },
  "4000000000000341": { brand: "Visa", behavior: "fails" },
  "4000002500003155": { brand: "Visa", behavior: "authenticates" },
};

const onlyTestCards =
  "Real cards are not accepted here. Use a test card: 4242 4242 4242 4242 or 5555 5555 5555 4444 (pays), " +
  "4000 0000 0000 0002 (is declined), 4000 0000 0000 0341 (fails at every renewal) " +
  "or 4000 0025 0000 3155 (must be confirmed).";

/** Parses a card form. Anything but a test card is refused, and its input is neither stored nor echoed. */
export function readCard(
  form: CardForm,
  now: Date,
): { outcome: "accepted"; card: SandboxCard } | CardRefusal {
  const number = form.number.replaceAll(/[\s-]/g, "");
  const known = Object.hasOwn(testCards, number) ? testCards[number] : undefined;
  const expiry = readExpiry(form.expiry, now);
  const name = form.name.trim();
  const faults: CardFaults = {
    ...(known === undefined && { number: onlyTestCards }),
    ...(expiry === null && { expiry: "Enter a future month and year, such as 12/30." }),
    ...(!/^\d{3}$/.test(form.cvc.trim()) && { cvc: "Enter any three digits." }),
    ...((name === "" || name.length > 200) && { name: "Enter the name on the card." }),
  };
  const [first] = Object.entries(faults) as [keyof CardForm, string][];
  if (known === undefined || expiry === null || first !== undefined) {
    const [field, message] = first!;
    return { outcome: "invalid", field, message, faults };
  }
  const { brand, behavior } = known;
  if (behavior === "declined")
    return { outcome: "declined", field: "number", message: "The card was declined. Try another card." };
  return { outcome: "accepted", card: { behavior, brand, lastFour: number.slice(-4), ...expiry } };
}

/** The behaviors that a card can be replaced with. */
export type TestCardBehavior = Exclude<CardBehavior, "authenticates">;

/** Returns a test card with this behavior that is valid at an instant. */
export function testCard(behavior: TestCardBehavior, now: Date): SandboxCard {
  const [number, { brand }] = Object.entries(testCards).find(([, one]) => one.behavior === behavior)!;
  return {
    behavior,
    brand,
    lastFour: number.slice(-4),
    expiryMonth: 12,
    expiryYear: now.getUTCFullYear() + 3,
  };
}

/** Parses an expiry date. A card is valid until the end of its month. Returns null when invalid or expired. */
function readExpiry(text: string, now: Date): { expiryMonth: number; expiryYear: number } | null {
  const [, month = "", year = ""] = /^(\d{1,2})\s*\/\s*(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  const expiryMonth = Number(month);
  const expiryYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (expiryMonth < 1 || expiryMonth > 12) return null;
  const isOver = expiryYear * 12 + expiryMonth < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  return isOver || expiryYear > now.getUTCFullYear() + 50 ? null : { expiryMonth, expiryYear };
}
