import { hash } from "node:crypto";
import {
  type CardRequest,
  type Cardholder,
  type CardholderDetailName,
  type CardholderDetails,
  IssuerError,
} from "@purser/cards/ports";
import type { Stripe } from "stripe";
import type { z } from "zod";
import type { StripeCall } from "../client.ts";
import type { BillingAddress } from "../settings.ts";
import { isStoredFailure } from "./errors.ts";
import { CardWithHolder, Cardholders, StripeCardholder } from "./mapping.ts";

/**
 * Returns Stripe's id of the person's cardholder in this organization, with the current details. Creates the cardholder if
 * there is none yet. Throws `details_required` if Stripe lists details that the person has not provided, and `refused` if it
 * has rejected the person: every purchase would be declined. For a card that is to be closed, neither creates nor changes a
 * cardholder, nor requires details.
 */
export async function ensureCardholder(
  call: StripeCall,
  billingAddress: BillingAddress,
  request: CardRequest,
): Promise<string> {
  const { cardholder, isAbandoned = false } = request;
  const { details = {} } = cardholder;
  const found = (await findByEarlierCard(call, request)) ?? (await findByEmail(call, request));
  if (isAbandoned) {
    if (found === undefined) throw new IssuerError("refused", "Stripe knows no cardholder of this card");
    return found.id;
  }
  // A person without an open card may have changed their details, and no job has sent the change.
  const hasDetails = Object.keys(detailFields(details)).length > 0;
  const record =
    found === undefined
      ? await createCardholder(call, billingAddress, request)
      : hasDetails
        ? await sendDetails(call, found.id, details)
        : found;
  const missing = pastDue(record).filter((name) => !hasStripeDetail(details, name));
  if (missing.length > 0) {
    const message = `Stripe requires ${missing.join(", ")} of the cardholder ${record.id}`;
    throw new IssuerError("details_required", message, { missing });
  }
  // Other reasons than a rejection may pass.
  const disabled = record.requirements?.disabled_reason ?? "";
  if (disabled.startsWith("rejected."))
    throw new IssuerError("refused", `Stripe has rejected the cardholder ${record.id}: ${disabled}`);
  return record.id;
}

/** A limit or a block at Stripe is of one cardholder, so a person who has changed the email address gets no second one. */
async function findByEarlierCard(call: StripeCall, { earlierCard }: CardRequest) {
  if (earlierCard === undefined) return undefined;
  try {
    return await retrieveCardholder(call, earlierCard);
  } catch (error) {
    // An operator has chosen another account of Stripe since.
    if (IssuerError.is(error, "card_not_found")) return undefined;
    throw error;
  }
}

async function findByEmail(call: StripeCall, { organizationId, cardholder: { id, email } }: CardRequest) {
  const known = await call("cardholders.list", Cardholders, (stripe, options) =>
    stripe.issuing.cardholders.list({ email, limit: 100 }, options),
  );
  return known.data.find(
    ({ metadata }) => metadata["purser_organization"] === organizationId && metadata["purser_user"] === id,
  );
}

/** The cardholder of a card. */
async function retrieveCardholder(call: StripeCall, reference: string) {
  const { cardholder } = await call("cards.retrieve", CardWithHolder, (stripe, options) =>
    stripe.issuing.cards.retrieve(reference, {}, options),
  );
  return cardholder;
}

async function createCardholder(
  call: StripeCall,
  billingAddress: BillingAddress,
  { cardId, organizationId, cardholder }: CardRequest,
) {
  const { id, name, email, details = {} } = cardholder;
  const { individual, ...rest } = detailFields(details);
  const names = cardholderNames(details.name ? `${details.name.first} ${details.name.last}` : name);
  const fields = {
    type: "individual",
    ...names,
    email,
    billing: { address: addressFields(billingAddress) },
    ...rest,
    individual: { ...names.individual, ...individual },
    metadata: { purser_organization: organizationId, purser_user: id },
  };
  // The key deduplicates two cards that are created for one person at once. It includes a hash of the fields because
  // Stripe rejects a key that it has seen with other parameters.
  const digest = hash("sha256", JSON.stringify(fields), "hex").slice(0, 16);
  const key = `purser:cardholder:${organizationId}:${id}:${digest}`;
  const createOnce = (idempotencyKey: string) =>
    call("cardholders.create", StripeCardholder, (stripe, options) =>
      stripe.issuing.cardholders.create(fields, { ...options, idempotencyKey }),
    );
  try {
    return await createOnce(key);
  } catch (error) {
    // Otherwise the person could get no card for a day.
    if (isStoredFailure(error)) return createOnce(`${key}:${cardId}`);
    throw error;
  }
}

/** Sends details to the cardholder of a card. Finds it by the card, because the person's email address may have changed. */
export async function updateStripeCardholder(
  call: StripeCall,
  reference: string,
  { cardholder: { details = {} } }: { cardholder: Cardholder },
): Promise<void> {
  const { id } = await retrieveCardholder(call, reference);
  await sendDetails(call, id, details);
}

/** The update sets the same values each time, so it needs no idempotency key. */
const sendDetails = (call: StripeCall, id: string, details: CardholderDetails) =>
  call("cardholders.update", StripeCardholder, (stripe, options) =>
    stripe.issuing.cardholders.update(id, detailFields(details), options),
  );

/** The details in Stripe's form. An absent one changes nothing. */
function detailFields({ name, dateOfBirth, phoneNumber, address, termsAcceptance }: CardholderDetails) {
  const [year, month, day] = (dateOfBirth ?? "").split("-").map(Number) as [number, number, number];
  const individual = {
    ...(name && cardholderNames(`${name.first} ${name.last}`).individual),
    ...(dateOfBirth !== undefined && { dob: { day, month, year } }),
    ...(termsAcceptance?.ip && {
      card_issuing: {
        user_terms_acceptance: {
          date: Math.floor(Date.parse(termsAcceptance.acceptedAt) / 1000),
          ip: termsAcceptance.ip,
        },
      },
    }),
  };
  return {
    ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
    ...(address && { billing: { address: addressFields(address) } }),
    ...(Object.keys(individual).length > 0 && { individual }),
  };
}

/** Whether a detail is there in full: Stripe takes no acceptance of terms without an IP address. */
export function hasStripeDetail(details: CardholderDetails, name: CardholderDetailName): boolean {
  if (name === "termsAcceptance") return Boolean(details.termsAcceptance?.ip);
  return details[name] !== undefined;
}

/**
 * The details that "need to be collected in order to verify and re-enable the cardholder" (SDK,
 * `Cardholder.Requirements.past_due`). Purser collects no documents and no tax ids.
 */
function pastDue({ requirements }: z.infer<typeof StripeCardholder>): CardholderDetailName[] {
  const fields = requirements?.past_due ?? [];
  const names = fields.map((field) => {
    if (field.startsWith("individual.dob.")) return "dateOfBirth";
    return field.startsWith("individual.card_issuing.user_terms_acceptance.") ? "termsAcceptance" : null;
  });
  return [...new Set(names)].filter((name) => name !== null);
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
 * Stripe activates no card without a first and a last name. Throws `details_required` if the name has no Latin letter: the
 * person can provide their legal name in Latin letters.
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
  if (last === undefined) {
    throw new IssuerError("details_required", "Stripe accepts only names in Latin letters", {
      missing: ["name"],
    });
  }
  const first = words.slice(0, -1).join(" ") || last;
  return { name: words.join(" ").slice(0, 24).trim(), individual: { first_name: first, last_name: last } };
}
