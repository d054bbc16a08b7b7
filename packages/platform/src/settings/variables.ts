import type { z } from "zod";
import {
  address,
  databaseAddress,
  documented,
  emails,
  encryptionKeys,
  flag,
  hostname,
  integerBetween,
  mailServer,
  nonEmptyText,
  oneOf,
  origins,
  proxies,
  share,
  webUrl,
} from "./fields.ts";

/**
 * The variables of the platform and of identity, except those of `operationsVariables`, which end the README's table.
 * Some have no sensible default in production and must be set there.
 */
export const platformVariables = (production: boolean) => ({
  NODE_ENV: oneOf("development", "test", "production")
    .default("development")
    .meta(
      documented(
        "`development`",
        "`production` demands a database, secrets and a mail server, and never seeds.",
      ),
    ),
  ROLE: oneOf("all", "server", "worker")
    .default("all")
    .meta(
      documented(
        "`all`",
        "`server` only answers requests, and `worker` only runs jobs: any number of each may run on one database. At least one process has to run jobs.",
      ),
    ),
  ...network(production),
  ...database(production),
  ...secrets(production),
  ...signingIn(),
  ...mail(production),
});

const network = (production: boolean) => ({
  PORT: integerBetween(1, 65_535).default(3000).meta(documented("3000", "The TCP port to listen on.")),
  HOST: hostname()
    .optional()
    .meta(
      documented(
        "`127.0.0.1`; in production `0.0.0.0`",
        "The address to listen on: in development, this machine only.",
      ),
    ),
  BASE_URL: needed(production, address()).meta(
    documented(
      `\`http://localhost:$PORT\`; ${mustBeSet}`,
      "The address at which people and programs reach the service. On https, cookies are secure.",
    ),
  ),
  APP_URL: webUrl()
    .optional()
    .meta(
      documented(
        "`BASE_URL`",
        "Where links in mails lead: to the built-in pages, or to a front end with the same paths.",
      ),
    ),
  TRUSTED_ORIGINS: origins()
    .default([])
    .meta(
      documented(
        "none",
        "Origins of front ends, separated by commas. Only they and `BASE_URL` may act with a cookie, and CORS allows exactly these.",
      ),
    ),
  TRUSTED_PROXIES: proxies()
    .default([])
    .meta(
      documented(
        "none",
        "Addresses or CIDR blocks of reverse proxies, separated by commas. Only their `X-Forwarded-For` is believed.",
      ),
    ),
});

const database = (production: boolean) => ({
  DATABASE_URL: needed(production, databaseAddress()).meta(
    documented(
      `an embedded PostgreSQL in \`DATA_DIR\`; ${mustBeSet}`,
      "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/database`; with `?host=/run/postgresql`, over its Unix socket.",
    ),
  ),
  DIRECT_DATABASE_URL: databaseAddress()
    .optional()
    .meta(
      documented(
        "`DATABASE_URL`",
        "The way past a pooler for migrations and LISTEN, where `DATABASE_URL` is PgBouncer in transaction mode.",
      ),
    ),
  REPLICA_DATABASE_URL: databaseAddress()
    .optional()
    .meta(
      documented(
        "none: lists come from `DATABASE_URL`",
        "One streaming replica of it, which serves long lists while it is up to date.",
      ),
    ),
  DATABASE_POOL_SIZE: integerBetween(1, 1000)
    .default(10)
    .meta(documented("10", "The largest number of database connections that requests of a process use.")),
  DECISION_POOL_SIZE: integerBetween(3, 100)
    .default(5)
    .meta(
      documented(
        "5",
        "The largest number of database connections, beside those, that a process decides on purchases with.",
      ),
    ),
  DATABASE_PREPARE: flag()
    .default(true)
    .meta(documented("1", "`0` does without prepared statements, for poolers that cannot keep them.")),
  DATA_DIR: nonEmptyText("a folder")
    .default(".purser")
    .meta(
      documented(
        "`.purser` at the project's root",
        "Where development keeps its database, secrets and mails. Production writes nothing there.",
      ),
    ),
  SEED_DEMO: flag()
    .default(true)
    .meta(documented("1", "Whether an empty database gets the demo data. Production never does.")),
});

const secrets = (production: boolean) => ({
  AUTH_SECRET: needed(production, nonEmptyText("a random text of at least 32 characters", 32)).meta(
    documented(
      `made once, in \`DATA_DIR\`; ${mustBeSet}`,
      "Signs sessions: at least 32 random characters, for example from `openssl rand -base64 32`.",
    ),
  ),
  ENCRYPTION_KEYS: needed(production, encryptionKeys()).meta(
    documented(
      `made once, in \`DATA_DIR\`; ${mustBeSet}`,
      "Seal secrets at rest: `1:` and 32 random bytes in base64. The first seals, all of them open: `2:…,1:…`.",
    ),
  ),
});

const signingIn = () => ({
  SIGN_UP: oneOf("open", "invited")
    .default("open")
    .meta(documented("`open`", "`open` lets anybody sign up, `invited` only those with an invitation.")),
  REQUIRE_VERIFIED_EMAIL: flag()
    .optional()
    .meta(
      documented(
        "0; in production 1",
        "Whether an address must be verified before an invitation to it is shown or accepted.",
      ),
    ),
  ADMIN_EMAILS: emails()
    .default([])
    .meta(
      documented("none", "Who becomes an administrator once that address is verified, separated by commas."),
    ),
  AUTH_ATTEMPTS_PER_ADDRESS: integerBetween(1, 1_000_000)
    .default(60)
    .meta(documented("60", "Sign-in attempts a minute from one network address.")),
  AUTH_ATTEMPTS_PER_ACCOUNT: integerBetween(1, 1_000_000)
    .default(10)
    .meta(
      documented(
        "10",
        "Failed sign-in attempts in 15 minutes for one account, and mails of one kind to one address.",
      ),
    ),
  REQUESTS_PER_CALLER: integerBetween(1, 1_000_000_000)
    .default(6000)
    .meta(documented("6000", "Requests a minute of one user or, without a sign-in, of one network address.")),
});

const mail = (production: boolean) => ({
  SMTP_URL: needed(production, mailServer()).meta(
    documented(
      `the mailbox page at \`/dev/mail\`; ${mustBeSet}`,
      "The mail server, as `smtp://user:password@host:587` or `smtps://…`. `none` sends nothing: then nobody can verify an address, reset a password or be told of an invitation.",
    ),
  ),
  MAIL_FROM: nonEmptyText("a sender such as Purser <purser@example.com>", 3)
    .optional()
    .meta(documented("`Purser <purser@…>` with the host of `BASE_URL`", "The sender of all mail.")),
});

/** The variables for metrics, traces and logs. */
export const operationsVariables = () => ({
  METRICS_TOKEN: nonEmptyText("a token of at least 16 characters", 16)
    .optional()
    .meta(documented("none: `/metrics` is open", "The bearer token that `/metrics` asks for.")),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl()
    .optional()
    .meta(
      documented(
        "none: nothing is traced",
        "The OpenTelemetry collector that traces are sent to, over OTLP/HTTP, such as `http://localhost:4318`. `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` mean what they do everywhere.",
      ),
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl()
    .optional()
    .meta(
      documented(
        "`OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces`",
        "The same, but the whole address, where a collector has traces elsewhere.",
      ),
    ),
  OTEL_TRACES_SAMPLER_ARG: share()
    .default(1)
    .meta(
      documented(
        "1",
        "The share of traces that are kept. One that a caller has begun is kept if the caller keeps it.",
      ),
    ),
  LOG_LEVEL: oneOf("debug", "info", "warn", "error", "silent")
    .default("info")
    .meta(
      documented(
        "`info`",
        "The least severe lines that are logged: `debug`, `info`, `warn`, `error` or `silent`.",
      ),
    ),
});

const mustBeSet = "**must be set in production**";

function needed<Field extends z.ZodType>(production: boolean, field: Field) {
  return production ? field : field.optional();
}
