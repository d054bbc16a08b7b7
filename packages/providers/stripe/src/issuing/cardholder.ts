import { createHash } from "node:crypto";
import { type CardRequest, IssuerError } from "@purser/cards/ports";
import type { Stripe } from "stripe";
import type { StripeCall } from "../client.ts";
import type { BillingAddress } from "../settings.ts";
import { Cardholder, Cardholders } from "./mapping.ts";

/**
 * Returns Stripe's id of the person's cardholder in this organization. Creates the cardholder if there is none yet.
 */
export async function ensureCardholder(
  call: StripeCall,
  billingAddress: BillingAddress,
  request: CardRequest,
): Promise<string> {
  const { organizationId, cardholder } = request;
  const { email } = cardholder;
  const known = await call("cardholders.list", Cardholders, (stripe, options) =>
    stripe.issuing.cardholders.list({ email, limit: 100 }, options),
  );
  const found = known.data.find(
    ({ metadata }) =>
      metadata["purser_organization"] === organizationId && metadata["purser_user"] === cardholder.id,
  );
  if (found !== undefined) return found.id;
  const fields = {
    type: "individual",
    ...cardholderNames(cardholder.name),
    email,
    billing: { address: addressFields(billingAddress) },
    metadata: { purser_organization: organizationId, purser_user: cardholder.id },
  };
  // The key deduplicates two cards that are created for one person at once. It includes a hash of the fields because
  // Stripe rejects a key that it has seen with other parameters.
  const details = createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 16);
  const idempotencyKey = `purser:cardholder:${organizationId}:${cardholder.id}:${details}`;
  const created = await call("cardholders.create", Cardholder, (stripe, options) =>
    stripe.issuing.cardholders.create(fields, { ...options, idempotencyKey }),
  );
  return created.id;
}

type AddressFields = Stripe.AddressParam & Stripe.Issuing.CardholderCreateParams.Billing["address"];

function addressFields({ line1, line2, city, state, postalCode, country }: BillingAddress): AddressFields {
  return {
    line1,
    city,
    country,
    postal_code: postalCode,
    ...(line2 !== undefined && { line2 }),
    ...(state !== undefined && { state }),
  };
}

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const transliterations: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "Th",
  ı: "i",
};

/**
 * Converts a person's name into what Stripe accepts: Latin letters without marks, at most 24 characters on the card.
 * Stripe activates no card without a first and a last name. Throws `refused` if the name has no Latin letter.
 */
export function cardholderNames(name: string) {
  const latin = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/\P{ASCII}/gu, (letter) => (letter === "’" ? "'" : (transliterations[letter] ?? " ")))
    .replaceAll(/[^A-Za-z.,' -]/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  const words = latin.split(" ").filter((word) => /[A-Za-z]/.test(word));
  const last = words.at(-1);
  if (last === undefined) throw new IssuerError("refused", "Stripe accepts only names in Latin letters");
  const first = words.slice(0, -1).join(" ") || last;
  return { name: words.join(" ").slice(0, 24).trim(), individual: { first_name: first, last_name: last } };
}
