import { z } from "zod";
import {
  address,
  billingAddress,
  currencies,
  databaseAddress,
  emails,
  encryptionKeys,
  flag,
  hostname,
  link,
  mailServer,
  oneOf,
  origins,
  proxies,
  secretList,
  whole,
  words,
} from "./fields.ts";

/** Every variable that the service reads. In production some have no sensible default and must be set. */
export function environment(production: boolean) {
  const variables = z.object({
    NODE_ENV: oneOf("development", "test", "production")
      .default("development")
      .meta(
        told("`development`", "`production` demands a database, secrets and a mail server, and never seeds."),
      ),
    ...network(production),
    ...database(production),
    ...secrets(production),
    ...signingIn(),
    ...mail(production),
    ...providers(),
    ...operations(),
  });
  return variables
    .refine(...bothOrNeither("PLAID_CLIENT_ID", "PLAID_SECRET"))
    .refine(...bothOrNeither("YAPILY_APPLICATION_ID", "YAPILY_APPLICATION_SECRET"))
    .refine(...bothOrNeither("STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_WEBHOOK_SECRETS"))
    .refine(...bothOrNeither("STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_BILLING_ADDRESS"))
    .refine(...bothOrNeither("LITHIC_API_KEY", "LITHIC_WEBHOOK_SECRETS"));
}

/** Half a credential is a slip, and must not read as none. */
function bothOrNeither(one: string, other: string) {
  const holds = (variables: Record<string, unknown>) =>
    (variables[one] === undefined) === (variables[other] === undefined);
  const complaint = { path: [one], error: `must be set together with ${other}` };
  return [holds, complaint] as const;
}

const network = (production: boolean) => ({
  PORT: whole(1, 65_535).default(3000).meta(told("3000", "The TCP port to listen on.")),
  HOST: hostname()
    .optional()
    .meta(
      told(
        "`127.0.0.1`; in production `0.0.0.0`",
        "The address to listen on: in development, this machine only.",
      ),
    ),
  BASE_URL: needed(production, address()).meta(
    told(
      `\`http://localhost:$PORT\`; ${mustBeSet}`,
      "The address at which people and programs reach the service. On https, cookies are secure.",
    ),
  ),
  APP_URL: link()
    .optional()
    .meta(
      told(
        "`BASE_URL`",
        "Where links in mails lead: to the built-in pages, or to a front end with the same paths.",
      ),
    ),
  TRUSTED_ORIGINS: origins()
    .default([])
    .meta(
      told(
        "none",
        "Origins of front ends, separated by commas. Only they and `BASE_URL` may act with a cookie, and CORS allows exactly these.",
      ),
    ),
  TRUSTED_PROXIES: proxies()
    .default([])
    .meta(
      told(
        "none",
        "Addresses or CIDR blocks of reverse proxies, separated by commas. Only their `X-Forwarded-For` is believed.",
      ),
    ),
});

const database = (production: boolean) => ({
  DATABASE_URL: needed(production, databaseAddress()).meta(
    told(
      `an embedded PostgreSQL in \`DATA_DIR\`; ${mustBeSet}`,
      "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/database`.",
    ),
  ),
  DIRECT_DATABASE_URL: databaseAddress()
    .optional()
    .meta(
      told(
        "`DATABASE_URL`",
        "The way past a pooler for migrations and LISTEN, where `DATABASE_URL` is PgBouncer in transaction mode.",
      ),
    ),
  DATABASE_POOL_SIZE: whole(1, 1000)
    .default(10)
    .meta(told("10", "The largest number of database connections that requests of a process use.")),
  DATABASE_PREPARE: flag()
    .default(true)
    .meta(told("1", "`0` does without prepared statements, for poolers that cannot keep them.")),
  DATA_DIR: words("a folder")
    .default(".purser")
    .meta(
      told(
        "`.purser` at the project's root",
        "Where development keeps its database, secrets and mails. Production writes nothing there.",
      ),
    ),
  SEED_DEMO: flag()
    .default(true)
    .meta(told("1", "Whether an empty database gets the demo data. Production never does.")),
});

const secrets = (production: boolean) => ({
  AUTH_SECRET: needed(production, words("a random text of at least 32 characters", 32)).meta(
    told(
      `made once, in \`DATA_DIR\`; ${mustBeSet}`,
      "Signs sessions: at least 32 random characters, for example from `openssl rand -base64 32`.",
    ),
  ),
  ENCRYPTION_KEYS: needed(production, encryptionKeys()).meta(
    told(
      `made once, in \`DATA_DIR\`; ${mustBeSet}`,
      "Seal secrets at rest: `1:` and 32 random bytes in base64. To rotate, put a newer one in front: `2:…,1:…`.",
    ),
  ),
});

const signingIn = () => ({
  SIGN_UP: oneOf("open", "invited")
    .default("open")
    .meta(told("`open`", "`open` lets anybody sign up, `invited` only those with an invitation.")),
  REQUIRE_VERIFIED_EMAIL: flag()
    .optional()
    .meta(
      told(
        "0; in production 1",
        "Whether an address must be verified before an invitation to it is shown or accepted.",
      ),
    ),
  ADMIN_EMAILS: emails()
    .default([])
    .meta(told("none", "Who becomes an administrator once that address is verified, separated by commas.")),
  AUTH_ATTEMPTS_PER_ADDRESS: whole(1, 1_000_000)
    .default(60)
    .meta(told("60", "Sign-in attempts a minute from one network address.")),
  AUTH_ATTEMPTS_PER_ACCOUNT: whole(1, 1_000_000)
    .default(10)
    .meta(told("10", "Failed sign-in attempts in 15 minutes for one account.")),
  REQUESTS_PER_CALLER: whole(1, 1_000_000_000)
    .default(6000)
    .meta(told("6000", "Requests a minute of one user or, without a sign-in, of one network address.")),
});

const mail = (production: boolean) => ({
  SMTP_URL: needed(production, mailServer()).meta(
    told(
      `the mailbox page at \`/dev/mail\`; ${mustBeSet}`,
      "The mail server, as `smtp://user:password@host:587` or `smtps://…`. `none` sends nothing: then nobody can verify an address, reset a password or be told of an invitation.",
    ),
  ),
  MAIL_FROM: words("a sender such as Purser <purser@example.com>", 3)
    .optional()
    .meta(told("`Purser <purser@…>` with the host of `BASE_URL`", "The sender of all mail.")),
});

const providers = () => ({
  SANDBOX: flag()
    .optional()
    .meta(
      told(
        "1; in production 0",
        "Whether the built-in sandbox providers can be used and controlled: banks whose money is made up.",
      ),
    ),
  PLAID_CLIENT_ID: words("the client id of a Plaid account")
    .optional()
    .meta(told("none: Plaid is not used", "The client id at Plaid; its webhooks come to `BASE_URL`.")),
  PLAID_SECRET: words("the secret of that Plaid environment")
    .optional()
    .meta(told("none", "The secret that belongs to it.")),
  PLAID_ENVIRONMENT: oneOf("sandbox", "production")
    .default("production")
    .meta(told("`production`", "`sandbox` for Plaid's own test banks.")),
  YAPILY_APPLICATION_ID: words("the id of a Yapily application")
    .optional()
    .meta(told("none: Yapily is not used", "The application's id at Yapily.")),
  YAPILY_APPLICATION_SECRET: words("the secret of that Yapily application")
    .optional()
    .meta(told("none", "The secret that belongs to it.")),
  STRIPE_ISSUING_API_KEY: words("a secret or restricted key of a Stripe account")
    .optional()
    .meta(told("none: Stripe Issuing is not used", "The key by which cards are issued at Stripe.")),
  STRIPE_ISSUING_WEBHOOK_SECRETS: secretList()
    .optional()
    .meta(
      told(
        "none",
        "The signing secrets, separated by commas, of the endpoints at `BASE_URL/api/webhooks/cards/stripe`.",
      ),
    ),
  STRIPE_ISSUING_BILLING_ADDRESS: billingAddress()
    .optional()
    .meta(told("none", "Where cardholders are billed: `line1; city; postal code; country`, such as GB.")),
  STRIPE_ISSUING_CURRENCIES: currencies()
    .default([])
    .meta(told("any", "What the Stripe account issues cards in, separated by commas.")),
  LITHIC_API_KEY: words("an API key of a Lithic account")
    .optional()
    .meta(told("none: Lithic is not used", "The key by which cards are issued at Lithic.")),
  LITHIC_WEBHOOK_SECRETS: secretList()
    .optional()
    .meta(
      told(
        "none",
        "The secrets, separated by commas, of Auth Stream Access and events at `BASE_URL/api/webhooks/cards/lithic`.",
      ),
    ),
  LITHIC_ENVIRONMENT: oneOf("sandbox", "production")
    .default("production")
    .meta(told("`production`", "`sandbox` for Lithic's simulated cards.")),
  LITHIC_CURRENCIES: currencies()
    .default([])
    .meta(told("USD", "What the card program is in, separated by commas.")),
});

const operations = () => ({
  METRICS_TOKEN: words("a token of at least 16 characters", 16)
    .optional()
    .meta(told("none: `/metrics` is open", "The bearer token that `/metrics` asks for.")),
  LOG_LEVEL: oneOf("debug", "info", "warn", "error", "silent")
    .default("info")
    .meta(
      told("`info`", "The least severe lines that are logged: `debug`, `info`, `warn`, `error` or `silent`."),
    ),
});

/** The README's table of variables, as Markdown. */
export function environmentTable(): string {
  const rows = Object.entries(environment(true).shape).map(([name, field]) => {
    const { description, fallback } = field.meta() as unknown as Told;
    return `| \`${name}\` | ${fallback} | ${description} |`;
  });
  return ["| Variable | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

/** What the README's table says about a variable beside its name. */
type Told = {
  description: string;
  /** What holds where the variable is not set. */
  fallback: string;
};

function told(fallback: string, description: string): Told {
  return { description, fallback };
}

const mustBeSet = "**must be set in production**";

function needed<Field extends z.ZodType>(production: boolean, field: Field) {
  return production ? field : field.optional();
}
