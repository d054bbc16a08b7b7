import { z } from "zod";
import {
  address,
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
  share,
  whole,
  words,
} from "./fields.ts";
import { type Told, told } from "./told.ts";
import { banks, issuers, payments } from "./vendors.ts";

/** Every variable that the service reads. In production some have no sensible default and must be set. */
export function environment(production: boolean) {
  const variables = z.object({
    NODE_ENV: oneOf("development", "test", "production")
      .default("development")
      .meta(
        told("`development`", "`production` demands a database, secrets and a mail server, and never seeds."),
      ),
    ROLE: oneOf("all", "server", "worker")
      .default("all")
      .meta(
        told(
          "`all`",
          "`server` only answers requests, and `worker` only runs jobs: any number of each may run on one database. At least one process has to run jobs.",
        ),
      ),
    ...network(production),
    ...database(production),
    ...secrets(production),
    ...signingIn(),
    ...mail(production),
    ...banks(),
    ...issuers(),
    ...payments(),
    ...operations(),
  });
  return variables
    .refine(...bothOrNeither("PLAID_CLIENT_ID", "PLAID_SECRET"))
    .refine(...bothOrNeither("YAPILY_APPLICATION_ID", "YAPILY_APPLICATION_SECRET"))
    .refine(...bothOrNeither("STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_WEBHOOK_SECRETS"))
    .refine(...bothOrNeither("STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_BILLING_ADDRESS"))
    .refine(...bothOrNeither("LITHIC_API_KEY", "LITHIC_WEBHOOK_SECRETS"))
    .refine(...bothOrNeither("STRIPE_BILLING_API_KEY", "STRIPE_BILLING_WEBHOOK_SECRETS"))
    .refine(...bothOrNeither("PADDLE_API_KEY", "PADDLE_WEBHOOK_SECRETS"))
    .refine(...bothOrNeither("PADDLE_API_KEY", "PADDLE_CLIENT_TOKEN"))
    .refine(...bothOrNeither("POLAR_ACCESS_TOKEN", "POLAR_WEBHOOK_SECRETS"))
    .refine(...bothOrNeither("LEMONSQUEEZY_API_KEY", "LEMONSQUEEZY_STORE_ID"))
    .refine(...bothOrNeither("LEMONSQUEEZY_API_KEY", "LEMONSQUEEZY_WEBHOOK_SECRETS"));
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
      "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/database`; with `?host=/run/postgresql`, over its Unix socket.",
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
  REPLICA_DATABASE_URL: databaseAddress()
    .optional()
    .meta(
      told(
        "none: lists come from `DATABASE_URL`",
        "One streaming replica of it, which serves long lists while it is up to date.",
      ),
    ),
  DATABASE_POOL_SIZE: whole(1, 1000)
    .default(10)
    .meta(told("10", "The largest number of database connections that requests of a process use.")),
  DECISION_POOL_SIZE: whole(3, 100)
    .default(5)
    .meta(
      told(
        "5",
        "The largest number of database connections, beside those, that a process decides on purchases with.",
      ),
    ),
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
      "Seal secrets at rest: `1:` and 32 random bytes in base64. The first seals, all of them open: `2:…,1:…`.",
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
    .meta(
      told(
        "10",
        "Failed sign-in attempts in 15 minutes for one account, and mails of one kind to one address.",
      ),
    ),
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

const operations = () => ({
  METRICS_TOKEN: words("a token of at least 16 characters", 16)
    .optional()
    .meta(told("none: `/metrics` is open", "The bearer token that `/metrics` asks for.")),
  OTEL_EXPORTER_OTLP_ENDPOINT: link()
    .optional()
    .meta(
      told(
        "none: nothing is traced",
        "The OpenTelemetry collector that traces are sent to, over OTLP/HTTP, such as `http://localhost:4318`. `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` mean what they do everywhere.",
      ),
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: link()
    .optional()
    .meta(
      told(
        "`OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces`",
        "The same, but the whole address, where a collector has traces elsewhere.",
      ),
    ),
  OTEL_TRACES_SAMPLER_ARG: share()
    .default(1)
    .meta(
      told(
        "1",
        "The share of traces that are kept. One that a caller has begun is kept if the caller keeps it.",
      ),
    ),
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

const mustBeSet = "**must be set in production**";

function needed<Field extends z.ZodType>(production: boolean, field: Field) {
  return production ? field : field.optional();
}
