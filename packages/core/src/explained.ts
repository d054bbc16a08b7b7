import type { IdPrefix } from "./id.ts";

/**
 * Explains a field for `.meta()`: what it is, its unit, its limits, what null means, and realistic examples. OpenAPI, the
 * client's docstrings and the API reference show it. An example of a date is a `Date`.
 *
 * @example
 * const nickname = z.string().nullable().meta(explained("The card's label. Null if it has none.", "Travel"));
 */
export function explained(description: string, ...examples: unknown[]): Explanation {
  return examples.length === 0 ? { description } : { description, examples };
}

// A type, because zod takes an object with an index signature, and an interface has none.
type Explanation = { description: string; examples?: unknown[] };

/** Explains an enum: a sentence, and each of its values with its meaning. The example is the first value. */
export function explainedValues<Value extends string>(
  values: readonly [Value, ...Value[]],
  sentence: string,
  meanings: Readonly<Record<NoInfer<Value>, string>>,
): Explanation {
  const lines = values.map((value) => `- \`${value}\`: ${meanings[value]}`);
  return { description: [`${sentence}\n`, ...lines].join("\n"), examples: [values[0]] };
}

/** Writes values as a list in a sentence: `` `a`, `b` or `c` ``. */
export function anyOf(values: readonly [string, ...string[]]): string {
  const names = values.map((value) => `\`${value}\``);
  const last = names.pop()!;
  return names.length === 0 ? last : `${names.join(", ")} or ${last}`;
}

/** The identifiers of the examples. They belong to one fictional company. */
export const exampleIds = {
  org: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
  mem: "mem_01kjte4z90e0qv0j9wdrehbw60",
  inv: "inv_01kjxz1910edjrtj5cf1q51ty4",
  sub: "sub_01kk1fxjs0e138rqp6es5wk8n9",
  user: "user_01kk50swh0e8atbt5dsgwe4b7x",
  key: "key_01kk6m3w0pe5brx2y7vd4s9h8q",
  aud: "aud_01kk8hp690e3h9v1k252mzvp1r",
  evt: "evt_01kk9v5s8he4mbt2rz6xq3c7nf",
  whe: "whe_01kkb3d2f0e8yq5n7wp1vr4hsk",
  whd: "whd_01kkb4m6r0e9tz3c8xk2jn5qbw",
  bcn: "bcn_01kkc2jg10eep82n113m7fb0nj",
  bac: "bac_01kkfkess0e08ashdsnfph8k3k",
  btx: "btx_01kkk4b3h0e09b8574sb5b1sxr",
  bqu: "bqu_01kkpn7d90e5mbk3p42cfdccf4",
  bsy: "bsy_01km4rrm90ebcsrbhpx56v9z1z",
  card: "card_01kkt63q10e7696qmkhq2zqbyk",
  pol: "pol_01kkxq00s0efev8rva9t2c2qrx",
  ctx: "ctx_01km17wah0e1yrppt2vm9zg0fr",
} as const satisfies Partial<Record<IdPrefix, string>>;

/** Explains fields that the contracts of several areas share. Each is `.meta(sharedFields.…)` of its own schema. */
export const sharedFields = {
  organizationId: explained("The organization's id.", exampleIds.org),
  teamId: explained("The organization's id. A team is an organization.", exampleIds.org),
  userId: explained("The id of the user, not of the membership.", exampleIds.user),
  membershipId: explained("The membership's id, not the user's.", exampleIds.mem),
  connectionId: explained("The bank connection's id.", exampleIds.bcn),
  accountId: explained("The bank account's id.", exampleIds.bac),
  cardId: explained("The card's id.", exampleIds.card),
  policyId: explained("The card policy's id.", exampleIds.pol),
  cardTransactionId: explained("The card transaction's id.", exampleIds.ctx),
  /** Belongs to the decision that the examples of its own fields show. */
  declinedTransaction: explained("The transaction as it is now, as lists show it.", {
    id: exampleIds.ctx,
    cardId: exampleIds.card,
    amount: 6200,
    currency: "GBP",
    merchantName: "Restaurant De Haven",
    merchantId: "174030075991",
    merchantCategory: "5812",
    description: null,
    status: "DECLINED",
    declineReason: "daily_limit_exceeded",
    createdAt: new Date("2026-03-18T19:48:36.000Z"),
    settledAt: null,
  }),
  currency: explained("The currency: ISO 4217, upper case.", "GBP"),
  policyName: explained("The policy's name, on one line.", "Travel"),
  policyDescription: explained(
    "What the policy is for, in up to 1000 characters. Null if there is none.",
    "Up to £150 a day, at home and in other countries",
  ),
  from: explained("Only items from this time on, itself included.", new Date("2026-03-01T00:00:00.000Z")),
  to: explained("Only items up to this time, itself included.", new Date("2026-03-31T23:59:59.999Z")),
  personName: explained("The user's name. Null if it is not known.", "Demo Owner"),
  personEmail: explained("The user's e-mail address, in lower case.", "owner@demo.example"),
  personAvatarUrl: explained(
    "The address of the user's picture. Null if there is none.",
    "https://demo.example/owner.png",
  ),
  redirectUrl: explained(
    "Where the browser continues afterwards. Its origin must be trusted: that of the service, or one of `TRUSTED_ORIGINS`. By default a page of the service.",
    "https://app.demo.example/settings",
  ),
} as const;
