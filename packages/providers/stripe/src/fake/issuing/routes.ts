import type { Stripe } from "stripe";
import { type FormFields, invalidRequest, missing, nested, required } from "../requests.ts";
import type { FakeTransaction } from "./network.ts";
import { fakeCard, fakeCardholder, noSpendingControls } from "./objects.ts";

/** The objects of Stripe Issuing by id, oldest first. */
export interface IssuingState {
  cardholders: Map<string, Stripe.Issuing.Cardholder>;
  cards: Map<string, Stripe.Issuing.Card>;
  /** What merchants captured and refunded. A test puts them here. */
  transactions: Map<string, FakeTransaction>;
  /** The nonces that Stripe.js made in a browser, with the card of each. A nonce makes one key. */
  nonces: Map<string, string>;
  /** The secrets of ephemeral keys, with the nonce of each. */
  ephemeralKeys: Map<string, string>;
  /** The only currency that the account issues in. */
  currency: string;
  /** What the program requires of cardholders, as in `requirements.past_due`. */
  required: string[];
}

export const emptyIssuing = (): IssuingState => ({
  cardholders: new Map(),
  cards: new Map(),
  transactions: new Map(),
  nonces: new Map(),
  ephemeralKeys: new Map(),
  currency: "gbp",
  required: [],
});

export function respondIssuing(state: IssuingState, call: string, fields: FormFields): object {
  if (call === "POST /v1/ephemeral_keys") return createEphemeralKey(state, fields);
  const [, method = "", kind = "", id] =
    /^(GET|POST) \/v1\/issuing\/(cards|cardholders|transactions)(?:\/(\w+))?$/.exec(call) ?? [];
  switch (`${method} ${kind}${id === undefined ? "" : "/:id"}`) {
    case "GET cardholders":
      return listCardholders(state, fields);
    case "POST cardholders":
      return createCardholder(state, fields);
    case "POST cardholders/:id":
      return updateCardholder(state, id, fields);
    case "GET cards":
      return listCards(state, fields);
    case "POST cards":
      return createCard(state, fields);
    case "GET cards/:id":
      return expandedCard(cardOf(state, id), fields);
    case "GET transactions/:id":
      return transactionOf(state, id);
    case "POST cards/:id":
      return updateCard(cardOf(state, id), fields);
    default:
      throw invalidRequest(404, `Unrecognized request URL (${call}).`);
  }
}

function listCardholders({ cardholders }: IssuingState, { email }: FormFields): object {
  const data = [...cardholders.values()].filter((cardholder) => !email || cardholder.email === email);
  return { object: "list", url: "/v1/issuing/cardholders", has_more: false, data: data.toReversed() };
}

function createCardholder(state: IssuingState, fields: FormFields): Stripe.Issuing.Cardholder {
  required(fields, "name", "billing[address][line1]", "billing[address][postal_code]");
  const name = fields["name"] ?? "";
  if (name.length > 24 || !/^[A-Za-z.,' -]+$/.test(name)) {
    throw invalidRequest(400, `Invalid name: ${name}`, { param: "name" });
  }
  const cardholder = fakeCardholder({
    id: `ich_${state.cardholders.size + 1}`,
    type: fields["type"] ?? "individual",
    name,
    email: fields["email"] ?? null,
    metadata: nested(fields, "metadata"),
  });
  setDetails(state, cardholder, fields);
  state.cardholders.set(cardholder.id, cardholder);
  return cardholder;
}

function updateCardholder(state: IssuingState, id = "", fields: FormFields): Stripe.Issuing.Cardholder {
  const cardholder = state.cardholders.get(id);
  if (cardholder === undefined) throw missing("issuing cardholder", id, "cardholder");
  setDetails(state, cardholder, fields);
  return cardholder;
}

/** Sets the details that a request names, and finds out which required ones are still missing. */
function setDetails(
  { required: requirements }: IssuingState,
  cardholder: Stripe.Issuing.Cardholder,
  fields: FormFields,
): void {
  const {
    city,
    country,
    line1,
    line2 = null,
    postal_code,
    state = null,
  } = nested(fields, "billing[address]");
  if (line1 !== undefined) {
    const address = { city: city!, country: country!, line1, line2, postal_code: postal_code!, state };
    cardholder.billing = { address };
  }
  cardholder.phone_number = fields["phone_number"] ?? cardholder.phone_number;
  const dob = nested(fields, "individual[dob]");
  const accepted = nested(fields, "individual[card_issuing][user_terms_acceptance]");
  const before = cardholder.individual;
  cardholder.individual = {
    ...before,
    first_name: fields["individual[first_name]"] ?? before?.first_name ?? null,
    last_name: fields["individual[last_name]"] ?? before?.last_name ?? null,
    verification: null,
    dob: dob["year"]
      ? { day: Number(dob["day"]), month: Number(dob["month"]), year: Number(dob["year"]) }
      : (before?.dob ?? null),
    ...(accepted["date"] && {
      card_issuing: {
        user_terms_acceptance: {
          date: Number(accepted["date"]),
          ip: accepted["ip"] ?? null,
          user_agent: null,
        },
      },
    }),
  };
  const { dob: known, card_issuing: terms } = cardholder.individual;
  const past_due = requirements.filter((name) =>
    name.startsWith("individual.dob.") ? !known : !terms?.user_terms_acceptance?.ip,
  );
  cardholder.requirements = {
    disabled_reason: past_due.length > 0 ? "requirements.past_due" : null,
    past_due,
  };
}

function createCard(state: IssuingState, fields: FormFields): Stripe.Issuing.Card {
  required(fields, "cardholder", "currency", "type");
  const { cardholder: id = "" } = fields;
  const cardholder = state.cardholders.get(id);
  if (cardholder === undefined) throw missing("issuing cardholder", id, "cardholder");
  if (fields["currency"] !== state.currency) {
    throw invalidRequest(400, `Your account cannot issue cards in ${fields["currency"]}.`, {
      param: "currency",
    });
  }
  const count = state.cards.size + 1;
  const card = fakeCard({
    id: `ic_${count}`,
    cardholder,
    currency: state.currency,
    last4: String(count).padStart(4, "0"),
    status: fields["status"] ?? "inactive",
    type: fields["type"] ?? "",
    metadata: nested(fields, "metadata"),
    spending_controls: {
      ...noSpendingControls,
      spending_limits: [limitOf(fields)],
      spending_limits_currency: null,
    },
  });
  state.cards.set(card.id, card);
  return card;
}

/** The limit that a new card gets: the one of the request, or Stripe's default of 500 a day. */
function limitOf(fields: FormFields): Stripe.Issuing.Card.SpendingControls.SpendingLimit {
  const { amount = "50000", interval = "daily" } = nested(fields, "spending_controls[spending_limits][0]");
  return { amount: Number(amount), categories: null, interval };
}

function listCards({ cards }: IssuingState, { cardholder }: FormFields): object {
  const data = [...cards.values()].filter((card) => !cardholder || card.cardholder.id === cardholder);
  return { object: "list", url: "/v1/issuing/cards", has_more: false, data: data.toReversed() };
}

function updateCard(card: Stripe.Issuing.Card, { status }: FormFields): Stripe.Issuing.Card {
  if (card.status === "canceled") {
    throw invalidRequest(400, "You cannot update a card that has been canceled.");
  }
  card.status = status ?? card.status;
  return card;
}

/** The API shows the number and the CVC of a virtual card only in expanded responses. */
function expandedCard(card: Stripe.Issuing.Card, fields: FormFields): object {
  const isExpanded = Object.entries(fields).some(([name]) => name.startsWith("expand"));
  return isExpanded ? { ...card, number: "4000009990000013", cvc: "123" } : card;
}

/** The key works only together with its nonce, which was made for the same card. */
function createEphemeralKey(state: IssuingState, fields: FormFields): Stripe.EphemeralKey {
  required(fields, "issuing_card", "nonce");
  const { issuing_card: card = "", nonce = "" } = fields;
  cardOf(state, card);
  if (state.nonces.get(nonce) !== card)
    throw invalidRequest(400, "The nonce is invalid or has been used.", { param: "nonce" });
  state.nonces.delete(nonce);
  const secret = `ek_test_${state.ephemeralKeys.size + 1}`;
  state.ephemeralKeys.set(secret, nonce);
  return {
    id: `ephkey_${state.ephemeralKeys.size}`,
    object: "ephemeral_key",
    created: 1_772_442_000,
    expires: 1_772_445_600,
    livemode: false,
    secret,
  };
}

function transactionOf({ transactions }: IssuingState, id = ""): FakeTransaction {
  const transaction = transactions.get(id);
  if (transaction === undefined) throw missing("issuing transaction", id, "transaction");
  return transaction;
}

function cardOf({ cards }: IssuingState, id = ""): Stripe.Issuing.Card {
  const card = cards.get(id);
  if (card === undefined) throw missing("issuing card", id, "card");
  return card;
}
