import { createHash } from "node:crypto";
import { type CardRequest, IssuerError } from "@purser/cards/ports";
import { Cardholder, Cardholders } from "./mapping.ts";
import type { StripeIssuing } from "./client.ts";

/** Stripe's id of the person's cardholder in this organization, who is made when there is none yet. */
export async function cardholderFor(stripe: StripeIssuing, request: CardRequest): Promise<string> {
  const { organizationId, cardholder } = request;
  const { email } = cardholder;
  const known = await stripe.ask("cardholders.list", Cardholders, (issuing) =>
    issuing.cardholders.list({ email, limit: 100 }),
  );
  const found = known.data.find(
    ({ metadata }) =>
      metadata["purser_organization"] === organizationId && metadata["purser_user"] === cardholder.id,
  );
  if (found !== undefined) return found.id;
  const fields = {
    type: "individual",
    ...namesOf(cardholder.name),
    email,
    billing: { address: stripe.billingAddress },
    metadata: { purser_organization: organizationId, purser_user: cardholder.id },
  };
  // Two cards for one person may be asked for at once. With other details it is another request: Stripe would not
  // take the same key for it.
  const details = createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 16);
  const idempotencyKey = `purser:cardholder:${organizationId}:${cardholder.id}:${details}`;
  const made = await stripe.ask("cardholders.create", Cardholder, (issuing) =>
    issuing.cardholders.create(fields, { idempotencyKey }),
  );
  return made.id;
}

/** Letters that are no letter with a mark on it. */
const ligatures: Readonly<Record<string, string>> = {
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
 * A person's name as Stripe takes it: Latin letters without marks, of which a card shows 24, and a first and a last
 * name, without which no card becomes active. Throws `refused` where nothing of the name is Latin.
 */
export function namesOf(name: string) {
  const latin = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/\P{ASCII}/gu, (letter) => (letter === "’" ? "'" : (ligatures[letter] ?? " ")))
    .replaceAll(/[^A-Za-z.,' -]/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  const words = latin.split(" ").filter((word) => /[A-Za-z]/.test(word));
  const last = words.at(-1);
  if (last === undefined) throw new IssuerError("refused", "Stripe takes names in Latin letters only");
  const first = words.slice(0, -1).join(" ") || last;
  return { name: words.join(" ").slice(0, 24).trim(), individual: { first_name: first, last_name: last } };
}
