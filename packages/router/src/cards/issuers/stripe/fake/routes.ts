/** What was sent, by its names in the form: `metadata[purser_card]`. */
export type Fields = Readonly<Record<string, string>>;

export interface FakeCardholder {
  id: string;
  object: "issuing.cardholder";
  type: string;
  name: string;
  email: string | null;
  status: "active" | "inactive" | "blocked";
  individual: { first_name: string; last_name: string };
  billing: { address: Fields };
  metadata: Fields;
  created: number;
  livemode: boolean;
}

export interface FakeCard {
  id: string;
  object: "issuing.card";
  brand: string;
  cardholder: FakeCardholder;
  currency: string;
  exp_month: number;
  exp_year: number;
  last4: string;
  status: string;
  type: string;
  cancellation_reason: string | null;
  metadata: Fields;
  created: number;
  livemode: boolean;
}

/** All that Stripe knows. */
export interface FakeState {
  cardholders: Map<string, FakeCardholder>;
  cards: Map<string, FakeCard>;
  /** The one currency that the account issues in. */
  currency: string;
}

/** An error answer of Stripe's. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    status: number,
    type: string,
    message: string,
    { code, param }: { code?: string; param?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }
}

export function respond(state: FakeState, call: string, fields: Fields): object {
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
      return shown(cardOf(state, id), fields);
    case "POST cards/:id":
      return updateCard(cardOf(state, id), fields);
    default:
      throw new Refusal(404, "invalid_request_error", `Unrecognized request URL (${call}).`);
  }
}

function listCardholders({ cardholders }: FakeState, { email }: Fields): object {
  const data = [...cardholders.values()].filter((cardholder) => !email || cardholder.email === email);
  return { object: "list", url: "/v1/issuing/cardholders", has_more: false, data: data.toReversed() };
}

function createCardholder(state: FakeState, fields: Fields): FakeCardholder {
  for (const param of ["name", "billing[address][line1]", "billing[address][postal_code]"])
    required(fields, param);
  const name = fields["name"] ?? "";
  if (name.length > 24 || !/^[A-Za-z.,' -]+$/.test(name)) {
    throw new Refusal(400, "invalid_request_error", `Invalid name: ${name}`, { param: "name" });
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
    billing: { address: within(fields, "billing[address]") },
    metadata: within(fields, "metadata"),
    created: 1_772_442_000,
    livemode: false,
  };
  state.cardholders.set(cardholder.id, cardholder);
  return cardholder;
}

function createCard(state: FakeState, fields: Fields): FakeCard {
  for (const param of ["cardholder", "currency", "type"]) required(fields, param);
  const cardholder = state.cardholders.get(fields["cardholder"] ?? "");
  if (cardholder === undefined) throw missing("cardholder", fields["cardholder"]);
  if (fields["currency"] !== state.currency) {
    const words = `Your account cannot issue cards in ${fields["currency"]}.`;
    throw new Refusal(400, "invalid_request_error", words, { param: "currency" });
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
    metadata: within(fields, "metadata"),
    created: 1_772_442_000,
    livemode: false,
  };
  state.cards.set(card.id, card);
  return card;
}

function updateCard(card: FakeCard, { status }: Fields): FakeCard {
  if (card.status === "canceled") {
    throw new Refusal(400, "invalid_request_error", "You cannot update a card that has been canceled.");
  }
  card.status = status ?? card.status;
  // What is kept for the key is the card as it was then.
  return { ...card };
}

/** A virtual card's number and CVC are in it for who asks for them. */
function shown(card: FakeCard, fields: Fields): object {
  const asked = Object.entries(fields).some(([name]) => name.startsWith("expand"));
  return asked ? { ...card, number: "4000009990000013", cvc: "123" } : card;
}

function cardOf({ cards }: FakeState, id: string | undefined): FakeCard {
  const card = cards.get(id ?? "");
  if (card === undefined) throw missing("card", id);
  return card;
}

function missing(param: string, id: string | undefined): Refusal {
  const words = `No such issuing ${param}: '${id}'`;
  return new Refusal(404, "invalid_request_error", words, { code: "resource_missing", param });
}

function required(fields: Fields, param: string): void {
  if (fields[param]) return;
  const words = `Missing required param: ${param}.`;
  throw new Refusal(400, "invalid_request_error", words, { code: "parameter_missing", param });
}

function within(fields: Fields, name: string): Fields {
  const entries = Object.entries(fields).filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}
