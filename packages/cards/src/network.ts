import type { Merchant } from "./ports.ts";

/** What a network tells of a merchant: fields that acquirers fill in as they like, or not at all. */
interface MerchantFields {
  name: string | null | undefined;
  id: string | null | undefined;
  category: string | null | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string | null | undefined;
}

/** A merchant as we keep it. What has not the form that it must have is unknown. */
export function merchantOf({ name, id, category, country }: MerchantFields): Merchant {
  return {
    name: text(name) ?? "Unknown merchant",
    id: text(id),
    category: ofForm(/^\d{4}$/, category),
    country: ofForm(/^[A-Z]{2}$/, country?.toUpperCase()),
  };
}

/**
 * When a hold ends where nothing clears it, or null for the usual seven days: airlines, car rental and lodging may
 * clear what was authorized up to 31 days ago.
 */
export function holdEndsAt({ category }: Merchant, authorizedAt: Date): Date | null {
  const code = Number(category);
  // 3000 to 3999 are airlines, car rental companies and hotels by name; the rest is what has no code of its own.
  const isLong = (code >= 3000 && code <= 3999) || [4511, 7011, 7512].includes(code);
  return isLong ? new Date(authorizedAt.getTime() + 31 * 24 * 60 * 60 * 1000) : null;
}

function text(field: string | null | undefined): string | null {
  // U+0000 and halves of surrogate pairs, which may also be what cutting leaves, cannot be stored.
  const printable = field
    ?.replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 255)
    .toWellFormed();
  return printable || null;
}

function ofForm(form: RegExp, field: string | null | undefined): string | null {
  const trimmed = field?.trim() ?? "";
  return form.test(trimmed) ? trimmed : null;
}
