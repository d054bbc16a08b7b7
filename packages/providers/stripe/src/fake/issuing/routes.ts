import type { Stripe } from "stripe";
import type { Some } from "../objects.ts";
import { type Fields, invalid, missing, nested, required } from "../requests.ts";

export type FakeCardholder = Some<
  Stripe.Issuing.Cardholder,
  "id" | "object" | "created" | "email" | "livemode" | "metadata" | "name" | "status" | "type",
  {
    billing: { address: Fields };
    individual: Some<Stripe.Issuing.Cardholder.Individual, "first_name" | "last_name">;
  }
>;

export type FakeCard = Some<
  Stripe.Issuing.Card,
  | ("id" | "object" | "brand" | "cancellation_reason" | "created" | "currency" | "exp_month" | "exp_year")
  | ("last4" | "livemode" | "metadata" | "status" | "type"),
  { cardholder: FakeCardholder }
>;

/** The objects of Stripe Issuing by id, oldest first. */
export interface IssuingState {
  cardholders: Map<string, FakeCardholder>;
  cards: Map<string, FakeCard>;
  /** The only currency that the account issues in. */
  currency: string;
}

export const emptyIssuing = (): IssuingState => ({
  cardholders: new Map(),
  cards: new Map(),
  currency: "gbp",
});

export function respondIssuing(state: IssuingState, call: string, fields: Fields): object {
  const [, method = "", kind = "", id] =
    /^(GET|POST) \/v1\/issuing\/(cards|cardholders)(?:\/(\w+))?$/.exec(call) ?? [];
  switch (`${method} ${kind}${id === undefined ? "" : "/:id"}`) {
    case "GET cardholders":
      return listCardholders(state, fields);
    case "POST cardholders":
      return createCardholder(state, fields);
    case "POST cards":
      return createCard(state, fields);
    case "GET cards/:id":
      return expandedCard(cardOf(state, id), fields);
    case "POST cards/:id":
      return updateCard(cardOf(state, id), fields);
    default:
      throw invalid(404, `Unrecognized request URL (${call}).`);
  }
}

function listCardholders({ cardholders }: IssuingState, { email }: Fields): object {
  const data = [...cardholders.values()].filter((cardholder) => !email || cardholder.email === email);
  return { object: "list", url: "/v1/issuing/cardholders", has_more: false, data: data.toReversed() };
}

function createCardholder(state: IssuingState, fields: Fields): FakeCardholder {
  required(fields, "name", "billing[address][line1]", "billing[address][postal_code]");
  const name = fields["name"] ?? "";
  if (name.length > 24 || !/^[A-Za-z.,' -]+$/.test(name)) {
    throw invalid(400, `Invalid name: ${name}`, { param: "name" });
  }
  const cardholder: FakeCardholder = {
    id: `ich_${state.cardholders.size + 1}`,
    object: "issuing.cardholder",
    type: fields["type"] ?? "individual",
    name,
    email: fields["email"] ?? null,
    status: "active",
    individual: {
      first_name: fields["individual[first_name]"] ?? "",
      last_name: fields["individual[last_name]"] ?? "",
    },
    billing: { address: nested(fields, "billing[address]") },
    metadata: nested(fields, "metadata"),
    created: 1_772_442_000,
    livemode: false,
  };
  state.cardholders.set(cardholder.id, cardholder);
  return cardholder;
}

function createCard(state: IssuingState, fields: Fields): FakeCard {
  required(fields, "cardholder", "currency", "type");
  const { cardholder: id = "" } = fields;
  const cardholder = state.cardholders.get(id);
  if (cardholder === undefined) throw missing("issuing cardholder", id, "cardholder");
  if (fields["currency"] !== state.currency) {
    throw invalid(400, `Your account cannot issue cards in ${fields["currency"]}.`, { param: "currency" });
  }
  const count = state.cards.size + 1;
  const card: FakeCard = {
    id: `ic_${count}`,
    object: "issuing.card",
    brand: "Visa",
    cardholder,
    currency: state.currency,
    exp_month: 3,
    exp_year: 2029,
    last4: String(count).padStart(4, "0"),
    status: fields["status"] ?? "inactive",
    type: fields["type"] ?? "",
    cancellation_reason: null,
    metadata: nested(fields, "metadata"),
    created: 1_772_442_000,
    livemode: false,
  };
  state.cards.set(card.id, card);
  return card;
}

function updateCard(card: FakeCard, { status }: Fields): FakeCard {
  if (card.status === "canceled") {
    throw invalid(400, "You cannot update a card that has been canceled.");
  }
  card.status = status ?? card.status;
  return card;
}

/** The API shows the number and the CVC of a virtual card only in expanded responses. */
function expandedCard(card: FakeCard, fields: Fields): object {
  const isExpanded = Object.entries(fields).some(([name]) => name.startsWith("expand"));
  return isExpanded ? { ...card, number: "4000009990000013", cvc: "123" } : card;
}

function cardOf({ cards }: IssuingState, id = ""): FakeCard {
  const card = cards.get(id);
  if (card === undefined) throw missing("issuing card", id, "card");
  return card;
}
