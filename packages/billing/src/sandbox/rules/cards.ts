import type { CardBehavior } from "./lifecycle.ts";

/** A card as somebody types it in. */
export interface CardForm {
  number: string;
  /** Month and year: 12/30, 12 / 2030. */
  expiry: string;
  cvc: string;
  /** The name on the card. */
  name: string;
}

/** What is kept of a card. Its number is not. */
export interface SandboxCard {
  behavior: CardBehavior;
  brand: string;
  lastFour: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface CardRefusal {
  outcome: "declined" | "invalid";
  /** What is to be put right. */
  field?: keyof CardForm;
  /** A sentence for the person. */
  message: string;
}

/** Stripe's test numbers, which belong to nobody. */
const testCards: Readonly<Record<string, { brand: string; behavior: CardBehavior | "declined" }>> = {
  "4242424242424242": { brand: "Visa", behavior: "succeeds" },
  "5555555555554444": { brand: "Mastercard", behavior: "succeeds" },
  "4000000000000002": { brand: "Visa", behavior: "declined" },
  "4000000000000341": { brand: "Visa", behavior: "fails" },
  "4000002500003155": { brand: "Visa", behavior: "authenticates" },
};

const onlyTestCards =
  "No real card is taken here. Use a test card: 4242 4242 4242 4242 or 5555 5555 5555 4444 (pays), " +
  "4000 0000 0000 0002 (is declined), 4000 0000 0000 0341 (fails at every renewal) " +
  "or 4000 0025 0000 3155 (has to be confirmed).";

/** Reads what somebody typed in. Whatever is not a test card is refused, and nothing of it is kept or repeated. */
export function readCard(
  form: CardForm,
  now: Date,
): { outcome: "accepted"; card: SandboxCard } | CardRefusal {
  const number = form.number.replaceAll(/[\s-]/g, "");
  const known = Object.hasOwn(testCards, number) ? testCards[number] : undefined;
  if (known === undefined) return { outcome: "invalid", field: "number", message: onlyTestCards };
  const expiry = readExpiry(form.expiry, now);
  if (expiry === null)
    return { outcome: "invalid", field: "expiry", message: "Give a month and year to come, such as 12/30." };
  if (!/^\d{3}$/.test(form.cvc.trim()))
    return { outcome: "invalid", field: "cvc", message: "Give three digits: any will do." };
  const name = form.name.trim();
  if (name === "" || name.length > 200)
    return { outcome: "invalid", field: "name", message: "Give the name on the card." };
  const { brand, behavior } = known;
  if (behavior === "declined")
    return { outcome: "declined", field: "number", message: "The card was declined. Try another one." };
  return { outcome: "accepted", card: { behavior, brand, lastFour: number.slice(-4), ...expiry } };
}

/** A test card that behaves so, as somebody might have typed it in at an instant. */
export function testCard(behavior: "succeeds" | "fails", now: Date): SandboxCard {
  const [number, { brand }] = Object.entries(testCards).find(([, one]) => one.behavior === behavior)!;
  return {
    behavior,
    brand,
    lastFour: number.slice(-4),
    expiryMonth: 12,
    expiryYear: now.getUTCFullYear() + 3,
  };
}

/** The month and year on a card that is good until the end of that month, or null. */
function readExpiry(text: string, now: Date): { expiryMonth: number; expiryYear: number } | null {
  const [, month = "", year = ""] = /^(\d{1,2})\s*\/\s*(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  const expiryMonth = Number(month);
  const expiryYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (expiryMonth < 1 || expiryMonth > 12) return null;
  const isOver = expiryYear * 12 + expiryMonth < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  return isOver || expiryYear > now.getUTCFullYear() + 50 ? null : { expiryMonth, expiryYear };
}
