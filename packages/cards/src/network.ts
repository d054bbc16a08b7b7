import { addMs, dayMs } from "@purser/core";
import type { CardMerchant } from "./ports.ts";

/**
 * How long a network repeats a request. Requests that have nothing but their content to tell them apart are different ones if
 * more time is between them.
 */
export const repeatMs = 60_000;

/** A merchant in a network's message. Acquirers fill in these fields as they like, or not at all. */
interface MerchantFields {
  name: string | null | undefined;
  id: string | null | undefined;
  category: string | null | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string | null | undefined;
}

/** Normalizes a merchant. A field in an invalid form becomes null. */
export function merchantOf({ name, id, category, country }: MerchantFields): CardMerchant {
  return {
    name: text(name) ?? "Unknown merchant",
    id: text(id),
    category: matching(/^\d{4}$/, category),
    country: matching(/^[A-Z]{2}$/, country?.toUpperCase()),
  };
}

/** Cruise lines, airlines, hotels, timeshares, campgrounds, and the rental of cars, trucks and motor homes. */
const longHoldCategories: ReadonlySet<number> = new Set([4411, 4511, 7011, 7012, 7033, 7512, 7513, 7519]);

/**
 * The end of a hold that may last longer than the usual seven days: airlines, cruise lines, vehicle rental and lodging may
 * clear an authorization for up to 31 days (https://docs.stripe.com/payments/extended-authorization). Null for all other
 * merchants.
 */
export function extendedHoldEndsAt({ category }: CardMerchant, authorizedAt: Date): Date | null {
  const code = Number(category);
  // 3000 to 3999 are individual airlines, car rentals and hotels. The others are for companies without their own code.
  const isLong = (code >= 3000 && code <= 3999) || longHoldCategories.has(code);
  return isLong ? addMs(authorizedAt, 31 * dayMs) : null;
}

function text(field: string | null | undefined): string | null {
  // PostgreSQL cannot store U+0000 or lone surrogates, and slicing may leave a lone surrogate.
  const printable = field
    ?.replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 255)
    .toWellFormed();
  return printable || null;
}

function matching(form: RegExp, field: string | null | undefined): string | null {
  const trimmed = field?.trim() ?? "";
  return form.test(trimmed) ? trimmed : null;
}
