import { z } from "zod";
import { explained, sharedFields } from "./explained.ts";
import { isCurrency } from "./money.ts";

/** Text that a database and a JSON parser accept unchanged: bounded, without U+0000 and unpaired surrogates. */
export const text = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .refine((value) => !value.includes("\0") && value.isWellFormed(), {
      error: "Must not contain U+0000 or unpaired surrogates",
    });

/**
 * Replaces line breaks, control characters, and embeddings, overrides and isolates of direction by spaces. Joiners and the
 * marks of direction stay: emoji and names in Arabic, Hebrew and Indic scripts need them.
 */
export function toSingleLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();
}

/** Any identifier in an input. A malformed one is not an error: it is simply not found. Each field explains its own. */
export const Id = text(255);

/**
 * A name that people choose: trimmed, visible, one line. Mails contain names: a line break could add sentences, and a change
 * of direction could reverse the text that follows.
 */
export const Name = text(200)
  .trim()
  .min(1)
  .refine((name) => toSingleLine(name) === name, {
    error: "Must not contain line breaks, control characters or changes of direction",
  })
  // The blank Braille pattern counts as a symbol.
  .refine((name) => name === "" || /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name), {
    error: "Must contain a visible character",
  })
  .meta(
    explained("A name of 1 to 200 characters on one line. Spaces around it are removed.", "Fernhill Studio"),
  );

/** An e-mail address, compared and stored in lower case. */
export const Email = text(254)
  .trim()
  .toLowerCase()
  .pipe(z.email({ error: "Must be an e-mail address" }))
  .meta(
    explained(
      "An e-mail address. Upper and lower case are the same, and lower case is stored.",
      "new@demo.example",
    ),
  );

/** Any text. In a union with known texts, editors still complete those. */
type OtherText = string & Record<never, never>;

/**
 * Text with known values, for outputs. A later version may add values, so every text is valid, but the client's types and
 * editors know these.
 *
 * @example
 * const Reason = openText(["too_large", "too_late"]).meta({ id: "Reason", description: "Why it was refused." });
 */
export function openText<Value extends string>(
  values: readonly Value[],
): z.ZodType<Value | OtherText, Value | OtherText> {
  return z.string().meta({ knownValues: values });
}

/** A link that a browser may open: http or https, never fetched by the server. */
export const WebUrl = text(2048)
  .refine(isWebUrl, { error: "Must be an http or https URL" })
  .meta(explained("An http or https URL.", "https://demo.example/logo.png"));

/** The name of a time zone as IANA has it, for example Europe/London. */
export const TimeZone = text(64)
  .refine(isTimeZone, { error: "Must be an IANA time zone" })
  .meta(explained("An IANA time zone. Offsets such as +01:00 are refused.", "Europe/London"));

function isWebUrl(value: string): boolean {
  // The parser removes blanks and line breaks before it validates, but the original text is stored.
  if (/[\s\p{Cc}]/u.test(value)) return false;
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  return isWeb && url.username === "" && url.password === "";
}

function isTimeZone(value: string): boolean {
  // Intl also accepts offsets such as +01:00, which have no daylight saving rules.
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions();
    // Intl also accepts "europe/london". Store only the canonical spelling.
    return timeZone === value || timeZone.toLowerCase() !== value.toLowerCase();
  } catch {
    return false;
  }
}

/** The sentence for a value that is there, but cannot be read. The limits of the value have their own. */
function ofWrongType(sentence: string): z.core.$ZodErrorMap {
  return ({ code, input }) => (code === "invalid_type" && input !== undefined ? sentence : undefined);
}

/** An instant between the years 1 and 9999, the range of dates on the wire. */
export const Instant = z
  .date({
    error: ofWrongType(
      "Must be a valid Date; over REST a day, such as 2026-03-02, or a time with its offset, such as 2026-03-02T09:15:00Z",
    ),
  })
  .min(new Date("0001-01-01T00:00:00.000Z"), { error: "Must be in the year 1 or later" })
  .max(new Date("9999-12-31T23:59:59.999Z"), { error: "Must be in the year 9999 or earlier" })
  .meta(explained("An instant.", new Date("2026-03-02T09:15:00.000Z")));

/** The upper end of a range. On REST, a plain day means the end of that day. */
export const InstantUntil = Instant.meta({ endOfDay: true });

/** Money: whole minor units of its currency, within ±(2^53−1). */
export const Amount = z
  .int({ error: ofWrongType("Must be an integer in minor units, such as 1250 for £12.50") })
  .meta(explained("In minor units of the currency: 1250 is £12.50 in GBP, and ¥1250 in JPY.", 1250));

/** ISO 4217, upper case. */
export const Currency = text(3)
  .refine(isCurrency, { error: "Must be an ISO 4217 code in upper case" })
  .meta(sharedFields.currency);
