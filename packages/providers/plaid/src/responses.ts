import { z } from "zod";

// The fields that the adapter reads of Plaid's responses. Another shape is an outage: taken as it is, it would look like
// a bank without accounts or transactions.

const Id = z.string().min(1);

/** An amount as Plaid wrote it. See `parseExactJson`. */
const Decimal = z.string();

/** A field that may be null or missing. Reads as null. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

export const PlaidInstant = z.string().pipe(z.coerce.date());

export const PlaidAccount = z.object({
  account_id: Id,
  name: optional(z.string()),
  official_name: optional(z.string()),
  type: z.string(),
  subtype: optional(z.string()),
  persistent_account_id: optional(z.string()),
  balances: z.object({
    current: optional(Decimal),
    available: optional(Decimal),
    iso_currency_code: optional(z.string()),
  }),
});
export type PlaidAccount = z.infer<typeof PlaidAccount>;

export const PlaidNumbers = z.object({
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
export type PlaidNumbers = z.infer<typeof PlaidNumbers>;

export const PlaidTransaction = z.object({
  transaction_id: z.string(),
  account_id: Id,
  amount: Decimal,
  iso_currency_code: optional(z.string()),
  date: optional(z.string()),
  name: optional(z.string()),
  merchant_name: optional(z.string()),
  pending: z.boolean(),
  pending_transaction_id: optional(z.string()),
  personal_finance_category: optional(z.object({ primary: z.string() })),
});
export type PlaidTransaction = z.infer<typeof PlaidTransaction>;

export const PlaidChanges = z.object({
  added: z.array(PlaidTransaction),
  modified: z.array(PlaidTransaction),
  removed: z.array(z.object({ transaction_id: Id, account_id: optional(z.string()) })),
  next_cursor: z.string(),
  has_more: z.boolean(),
  transactions_update_status: optional(z.string()),
});
export type PlaidChanges = z.infer<typeof PlaidChanges>;

const PlaidItem = z.object({
  item_id: Id,
  institution_id: optional(z.string()),
  institution_name: optional(z.string()),
  webhook: optional(z.string()),
  error: optional(z.object({ error_code: z.string() })),
  products: optional(z.array(z.string())),
  consented_products: optional(z.array(z.string())),
  consent_expiration_time: optional(PlaidInstant),
});
export type PlaidItem = z.infer<typeof PlaidItem>;

const PlaidItemStatus = z.object({
  transactions: optional(z.object({ last_successful_update: optional(PlaidInstant) })),
});

const PlaidInstitution = z.object({
  institution_id: Id,
  name: z.string(),
  country_codes: z.array(z.string()).min(1),
});
export type PlaidInstitution = z.infer<typeof PlaidInstitution>;

const Result = z.object({
  public_token: Id,
  institution: optional(z.object({ institution_id: optional(z.string()) })),
});

const PlaidLinkSession = z.object({
  finished_at: optional(z.string()),
  exit: optional(z.object({})),
  results: optional(z.object({ item_add_results: z.array(Result) })),
});
export type PlaidLinkSession = z.infer<typeof PlaidLinkSession>;

const PlaidVerificationKey = z.object({
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
export type PlaidVerificationKey = z.infer<typeof PlaidVerificationKey>;

/** By the SDK's name of the operation. */
export const responseSchemas = {
  accountsGet: z.object({ accounts: z.array(PlaidAccount) }),
  authGet: z.object({ numbers: PlaidNumbers }),
  institutionsGet: z.object({ institutions: z.array(PlaidInstitution), total: z.int() }),
  institutionsGetById: z.object({ institution: PlaidInstitution }),
  institutionsSearch: z.object({ institutions: z.array(PlaidInstitution) }),
  itemGet: z.object({ item: PlaidItem, status: optional(PlaidItemStatus).catch(null) }),
  itemPublicTokenExchange: z.object({ access_token: Id, item_id: Id }),
  itemRemove: z.object({}),
  itemWebhookUpdate: z.object({}),
  linkTokenCreate: z.object({
    link_token: Id,
    expiration: PlaidInstant,
    hosted_link_url: optional(z.url()),
  }),
  linkTokenGet: z.object({
    link_sessions: optional(z.array(PlaidLinkSession)),
    metadata: z.object({ webhook: optional(z.string()) }),
  }),
  transactionsRefresh: z.object({}),
  transactionsSync: PlaidChanges,
  webhookVerificationKeyGet: z.object({ key: PlaidVerificationKey }),
};

/** The fields that hold money. */
const amountFields = new Set(["amount", "available", "current"]);

/**
 * Parses JSON and keeps amounts as text. Plaid writes them as JSON numbers, and a JavaScript number is exact to about 15
 * digits only. Text that is not JSON, such as a proxy's error page, is returned unchanged and fails the validation.
 */
export function parseExactJson(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text, (key: string, value: unknown, context?: { source?: string }) =>
      typeof value === "number" && amountFields.has(key) ? (context?.source ?? String(value)) : value,
    ) as unknown;
  } catch {
    return text;
  }
}
