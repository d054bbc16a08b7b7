import type { z } from "zod";
import {
  address,
  databaseAddress,
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
  sender,
  share,
  variableDocs,
  webUrl,
} from "./fields.ts";
import { httpLimitVariables } from "./http-limits.ts";

/**
 * The variables of the platform and of identity, except those of `operationsVariables`, which end the table of docs/settings.md.
 * Some have no sensible default in production and must be set there.
 */
export const platformVariables = (production: boolean) => ({
  NODE_ENV: oneOf("development", "test", "production")
    .default("development")
    .describe("`production` requires a database, secrets and a mail server, and never seeds demo data."),
  ROLE: oneOf("all", "server", "worker")
    .default("all")
    .describe(
      "`server` only serves requests, `worker` only runs jobs, `all` does both. Any number of each can share one database. At least one process must run jobs.",
    ),
  ...network(production),
  ...httpLimitVariables(),
  ...database(production),
  ...secrets(production),
  ...signingIn(),
  ...mail(production),
});

const network = (production: boolean) => ({
  PORT: integerBetween(0, 65_535)
    .default(3000)
    .describe("The TCP port to listen on. With `0`, the system chooses one, and the log names it."),
  HOST: hostname()
    .optional()
    .meta(
      variableDocs(
        "`127.0.0.1`; in production `0.0.0.0`",
        "The network address to listen on. In development, only this machine can connect.",
      ),
    ),
  BASE_URL: needed(production, address()).meta(
    variableDocs(
      `\`http://localhost:$PORT\`; ${mustBeSet}`,
      "The public URL of the service. With https, cookies are secure.",
    ),
  ),
  APP_URL: webUrl()
    .optional()
    .meta(
      variableDocs(
        "`BASE_URL`",
        "The base URL of links in mails: the built-in pages, or a front end with the same paths.",
      ),
    ),
  TRUSTED_ORIGINS: origins()
    .default([])
    .describe(
      "The origins of front ends, in full and separated by commas; `https://*.example.com` is refused. Only these and `BASE_URL` may use cookies, and CORS allows only these. Browsers send the cookies only within a site, such as from `app.example.com` to `purser.example.com`.",
    ),
  TRUSTED_PROXIES: proxies()
    .default([])
    .describe(
      "The addresses or CIDR blocks of reverse proxies, separated by commas. Only their `X-Forwarded-For` is trusted.",
    ),
});

const database = (production: boolean) => ({
  DATABASE_URL: needed(production, databaseAddress()).meta(
    variableDocs(
      `an embedded PostgreSQL in \`DATA_DIR\`; ${mustBeSet}`,
      "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/database`. Append `?host=/run/postgresql` for a Unix socket, or `?sslmode=verify-full` for [TLS](operations.md#deploy).",
    ),
  ),
  DIRECT_DATABASE_URL: databaseAddress()
    .optional()
    .meta(
      variableDocs(
        "`DATABASE_URL`",
        "A connection without a pooler, for migrations and LISTEN. Required if `DATABASE_URL` is PgBouncer in transaction mode.",
      ),
    ),
  REPLICA_DATABASE_URL: databaseAddress()
    .optional()
    .meta(
      variableDocs(
        "none: lists come from `DATABASE_URL`",
        "A streaming replica of the database. It serves long lists while it is up to date.",
      ),
    ),
  DATABASE_POOL_SIZE: integerBetween(1, 1000)
    .default(10)
    .describe("The maximum number of database connections per process for requests."),
  DECISION_POOL_SIZE: integerBetween(3, 100)
    .default(5)
    .describe("The maximum number of further connections for card authorizations: 3 to 100."),
  DATABASE_PREPARE: flag()
    .default(true)
    .describe("`0` turns off prepared statements, for poolers that do not support them."),
  DATA_DIR: nonEmptyText("a folder")
    .default(".purser")
    .meta(
      variableDocs(
        "`.purser` at the project's root",
        "The folder for the database, secrets and mails of development. Production writes nothing to it.",
      ),
    ),
  SEED_DEMO: flag()
    .default(true)
    .describe("Whether to fill an empty database with demo data. Has no effect in production."),
  EVENT_RETENTION_DAYS: integerBetween(1, 3650)
    .default(90)
    .describe(
      "The number of days that events are kept, and that a cursor of their feed is valid. Below 4, events are still kept until no webhook is tried again.",
    ),
  WEBHOOKS_ALLOW_PRIVATE: flag()
    .optional()
    .meta(
      variableDocs(
        "1; in production 0",
        "Whether webhook endpoints may use http, any port, and addresses of private networks. Never set it where people you do not trust have an account.",
      ),
    ),
  WEBHOOK_RETENTION_DAYS: integerBetween(8, 3650)
    .default(90)
    .describe("The number of days that applied webhook events are kept: at least 8."),
});

const secrets = (production: boolean) => ({
  AUTH_SECRET: needed(
    production,
    nonEmptyText("at least 32 random characters, such as the output of: openssl rand -base64 32", 32),
  ).meta(
    variableDocs(
      `generated in \`DATA_DIR\`; ${mustBeSet}`,
      "The secret that signs sessions: at least 32 random characters, such as the output of `openssl rand -base64 32`.",
    ),
  ),
  ENCRYPTION_KEYS: needed(production, encryptionKeys()).meta(
    variableDocs(
      `generated in \`DATA_DIR\`; ${mustBeSet}`,
      "The keys that encrypt secrets at rest: `1:` followed by the output of `openssl rand -base64 32`. The first key encrypts, all keys decrypt. [How to rotate](operations.md#secrets).",
    ),
  ),
});

const signingIn = () => ({
  SIGN_UP: oneOf("open", "invited")
    .default("open")
    .describe(
      "`open`: everyone can sign up. `invited`: only people with an invitation, or with an address in `ADMIN_EMAILS`, can.",
    ),
  CONFIRM_SIGN_UP: flag()
    .default(false)
    .describe(
      "Whether a new user opens the link of a mail before the first sign-in. Sign-up then opens no session, and does not reveal whether an address has an account.",
    ),
  REQUIRE_VERIFIED_EMAIL: flag()
    .optional()
    .meta(
      variableDocs(
        "0; in production 1",
        "Whether users must verify their address before they send, see or accept an invitation, and before they create a key of an organization or a webhook endpoint.",
      ),
    ),
  ADMIN_EMAILS: emails()
    .default([])
    .describe(
      "The e-mail addresses, separated by commas, whose users become administrators once the address is verified.",
    ),
  AUTH_ATTEMPTS_PER_ADDRESS: integerBetween(1, 1_000_000)
    .default(60)
    .describe(
      "The maximum number of attempts per minute and network address: sign-ups, sign-ins, and every other use of a password, a code or a mailed link, as well as requests for such a mail or for an API key.",
    ),
  AUTH_ATTEMPTS_PER_ACCOUNT: integerBetween(1, 1_000_000)
    .default(10)
    .describe(
      "The maximum number of failed sign-in attempts per account, and of mails of one kind per recipient, in 15 minutes. Invitations count per sender and recipient.",
    ),
  INVITATIONS_PER_SENDER: integerBetween(1, 1_000_000)
    .default(50)
    .describe("The maximum number of invitations that one user sends in a day."),
  INVITATIONS_PER_ORGANIZATION: integerBetween(1, 1_000_000)
    .default(200)
    .describe("The maximum number of invitations that one organization sends in a day."),
  REQUESTS_PER_CALLER: integerBetween(1, 1_000_000_000)
    .default(6000)
    .describe(
      "The maximum number of requests per minute and caller: a user, a key of an organization, or the network address of a request without a credential. As many credentials of one address may fail per minute; beyond that, a process refuses those from there that it has not seen succeed.",
    ),
});

const mail = (production: boolean) => ({
  SMTP_URL: needed(production, mailServer()).meta(
    variableDocs(
      `the mailbox page at \`/dev/mail\`; ${mustBeSet}`,
      "The mail server, as `smtp://user:password@host:587` or `smtps://…`. `none` turns mail off: users then cannot verify addresses, reset passwords or receive invitations.",
    ),
  ),
  MAIL_FROM: sender()
    .optional()
    .meta(variableDocs("`Purser <purser@…>` with the host of `BASE_URL`", "The sender of all mails.")),
});

/** The variables for metrics, traces and logs. */
export const operationsVariables = () => ({
  METRICS_TOKEN: nonEmptyText("a token of at least 16 characters", 16)
    .optional()
    .meta(
      variableDocs(
        "none: `/metrics` is open",
        "The bearer token that `/metrics` requires: at least 16 characters.",
      ),
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl()
    .optional()
    .meta(
      variableDocs(
        "none: tracing is off",
        "The OpenTelemetry collector that receives traces over OTLP/HTTP, such as `http://localhost:4318`. `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have their standard meaning.",
      ),
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl()
    .optional()
    .meta(
      variableDocs(
        "`OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces`",
        "The complete URL for traces, if the collector has another path.",
      ),
    ),
  OTEL_TRACES_SAMPLER_ARG: share()
    .default(1)
    .describe(
      "The share of traces to record, from 0 to 1. For a trace that the caller started, the caller's decision applies.",
    ),
  LOG_LEVEL: oneOf("debug", "info", "warn", "error", "silent")
    .default("info")
    .describe("The minimum level of log lines: `debug`, `info`, `warn`, `error` or `silent`."),
});

const mustBeSet = "**must be set in production**";

function needed<Field extends z.ZodType>(production: boolean, field: Field) {
  return production ? field : field.optional();
}
