import { z } from "zod";

// The fields that the adapter reads of Plaid's responses. Another shape is an outage: taken as it is, it would look like
// a bank without accounts or transactions.

const Id = z.string().min(1);

/** An amount as Plaid wrote it. See `parseExactJson`. */
const Decimal = z.string();

/** A field that may be null or missing. Reads as null. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

const Instant = z.string().pipe(z.coerce.date());

const Currencies = {
  iso_currency_code: optional(z.string()),
  unofficial_currency_code: optional(z.string()),
};

export const Account = z.object({
  account_id: Id,
  name: optional(z.string()),
  official_name: optional(z.string()),
  type: z.string(),
  subtype: optional(z.string()),
  persistent_account_id: optional(z.string()),
  balances: z.object({ current: optional(Decimal), available: optional(Decimal), ...Currencies }),
});
export type Account = z.infer<typeof Account>;

export const Numbers = z.object({
  bacs: z.array(z.object({ account_id: Id, account: z.string(), sort_code: z.string() })),
  ach: z.array(
    z.object({
      account_id: Id,
      account: z.string(),
      routing: z.string(),
      is_tokenized_account_number: optional(z.boolean()),
    }),
  ),
  eft: z.array(
    z.object({ account_id: Id, account: z.string(), institution: z.string(), branch: z.string() }),
  ),
  international: z.array(z.object({ account_id: Id, iban: z.string() })),
});
export type Numbers = z.infer<typeof Numbers>;

export const Transaction = z.object({
  transaction_id: z.string(),
  account_id: Id,
  amount: Decimal,
  ...Currencies,
  date: z.iso.date(),
  name: optional(z.string()),
  merchant_name: optional(z.string()),
  pending: z.boolean(),
  pending_transaction_id: optional(z.string()),
  personal_finance_category: optional(z.object({ primary: z.string() })),
});
export type Transaction = z.infer<typeof Transaction>;

export const Changes = z.object({
  added: z.array(Transaction),
  modified: z.array(Transaction),
  removed: z.array(z.object({ transaction_id: Id, account_id: optional(z.string()) })),
  next_cursor: z.string(),
  has_more: z.boolean(),
});
export type Changes = z.infer<typeof Changes>;

const Item = z.object({
  item_id: Id,
  institution_id: optional(z.string()),
  webhook: optional(z.string()),
  error: optional(z.object({ error_code: z.string() })),
  products: optional(z.array(z.string())),
  consented_products: optional(z.array(z.string())),
  consent_expiration_time: optional(Instant),
});
export type Item = z.infer<typeof Item>;

const Institution = z.object({
  institution_id: Id,
  name: z.string(),
  country_codes: z.array(z.string()).min(1),
});
export type Institution = z.infer<typeof Institution>;

const Result = z.object({
  public_token: Id,
  institution: optional(z.object({ institution_id: optional(z.string()) })),
});

const LinkSession = z.object({
  finished_at: optional(z.string()),
  exit: optional(z.object({})),
  results: optional(z.object({ item_add_results: z.array(Result) })),
});
export type LinkSession = z.infer<typeof LinkSession>;

const VerificationKey = z.object({
  kid: z.string(),
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  alg: z.literal("ES256"),
  use: z.literal("sig"),
  x: z.string(),
  y: z.string(),
  /** Seconds since 1970. */
  expired_at: optional(z.number()),
});
export type VerificationKey = z.infer<typeof VerificationKey>;

/** By the SDK's name of the operation. */
export const responseSchemas = {
  accountsGet: z.object({ accounts: z.array(Account) }),
  authGet: z.object({ numbers: Numbers }),
  institutionsGet: z.object({ institutions: z.array(Institution) }),
  institutionsGetById: z.object({ institution: Institution }),
  institutionsSearch: z.object({ institutions: z.array(Institution) }),
  itemGet: z.object({ item: Item }),
  itemPublicTokenExchange: z.object({ access_token: Id, item_id: Id }),
  itemRemove: z.object({}),
  linkTokenCreate: z.object({
    link_token: Id,
    expiration: Instant,
    hosted_link_url: optional(z.url()),
  }),
  linkTokenGet: z.object({
    link_sessions: optional(z.array(LinkSession)),
    metadata: z.object({ webhook: optional(z.string()) }),
  }),
  transactionsSync: Changes,
  webhookVerificationKeyGet: z.object({ key: VerificationKey }),
};
