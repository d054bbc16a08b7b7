import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSettings } from "@purser/db";
import type { z } from "zod";
import type { BillingAddress } from "./settings/fields.ts";
import { environment } from "./settings/environment.ts";
import { keptSecrets } from "./settings/secrets.ts";

export { environmentTable } from "./settings/environment.ts";

/** What the environment decides. Read once at the start; see the README's table for every variable. */
export interface Settings extends DatabaseSettings {
  production: boolean;
  /** What this process does: it answers requests, runs jobs, or both. A worker answers for its health and metrics. */
  role: "all" | "server" | "worker";
  port: number;
  host: string;
  /** The service's own address, without a slash at its end. */
  baseUrl: string;
  /** Where links in mails lead. */
  appUrl: string;
  /** The origins that CORS allows and that may act with a cookie; the origin of baseUrl is one of them. */
  trustedOrigins: readonly string[];
  authSecret: string;
  /** Keys for secrets at rest, of which the first seals: `version` is a positive number, `key` 32 bytes. */
  encryptionKeys: readonly { version: number; key: Buffer }[];
  signUp: "open" | "invited";
  requireVerifiedEmail: boolean;
  adminEmails: readonly string[];
  authAttemptsPerAddress: number;
  authAttemptsPerAccount: number;
  requestsPerCaller: number;
  /** Addresses or CIDR blocks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  smtpUrl: string | null;
  mailFrom: string;
  dataDir: string;
  seedDemo: boolean;
  /** Whether the built-in sandbox providers are there, with the procedures that control them. */
  sandbox: boolean;
  /** The keys to Plaid, or null where it is not used. */
  plaid: { clientId: string; secret: string; environment: "sandbox" | "production" } | null;
  /** The keys to Yapily, or null where it is not used. */
  yapily: { applicationId: string; applicationSecret: string } | null;
  /** The keys to Stripe Issuing, or null where it is not used. */
  stripeIssuing: {
    apiKey: string;
    webhookSecrets: readonly string[];
    /** Where cardholders are billed: the company's own address. */
    billingAddress: BillingAddress;
    /** Absent where the adapter's own default holds. */
    currencies?: readonly string[];
  } | null;
  /** The keys to Lithic, or null where it is not used. */
  lithic: {
    apiKey: string;
    webhookSecrets: readonly string[];
    environment: "sandbox" | "production";
    /** Absent where the adapter's own default holds. */
    currencies?: readonly string[];
  } | null;
  /** Whether the built-in payment provider is there, whose money is made up. */
  localBilling: boolean;
  /** The keys to Stripe Billing, or null where it is not used. */
  stripeBilling: { apiKey: string; webhookSecrets: readonly string[] } | null;
  /** The keys to Paddle, or null where it is not used. */
  paddle: {
    apiKey: string;
    webhookSecrets: readonly string[];
    /** What Paddle.js in the browser is let in with; it is no secret. */
    clientToken: string;
    environment: "sandbox" | "production";
  } | null;
  /** The keys to Polar, or null where it is not used. */
  polar: {
    accessToken: string;
    webhookSecrets: readonly string[];
    environment: "sandbox" | "production";
  } | null;
  /** The keys to Lemon Squeezy, or null where it is not used. */
  lemonSqueezy: { apiKey: string; storeId: string; webhookSecrets: readonly string[] } | null;
  /** The bearer token that /metrics asks for, or null where it is open. */
  metricsToken: string | null;
  /** Where traces are sent to and the share of them, from 0 to 1, that are kept; null where nothing is traced. */
  traces: { url: string; share: number } | null;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/** The environment does not allow a start. The message names every variable at fault, and tells no value. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** Reads the environment. Throws {@link SettingsError}; outside production it may write DATA_DIR/secrets.json. */
export function readSettings(source: Readonly<Record<string, string | undefined>>): Settings {
  // `PORT=` in a file of variables means the same as a line that is not there.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const production = given["NODE_ENV"]?.trim() === "production";
  const parsed = environment(production).safeParse(given);
  if (!parsed.success) throw new SettingsError(complaint(parsed.error.issues));
  const variables = parsed.data;
  const baseUrl = variables.BASE_URL ?? `http://localhost:${variables.PORT}`;
  const dataDir = resolve(projectRoot(), variables.DATA_DIR);
  const { SMTP_URL: smtpUrl = "none" } = variables;
  return {
    production,
    role: variables.ROLE,
    port: variables.PORT,
    host: variables.HOST ?? (production ? "0.0.0.0" : "127.0.0.1"),
    baseUrl,
    appUrl: variables.APP_URL ?? baseUrl,
    trustedOrigins: [...new Set([baseUrl, ...variables.TRUSTED_ORIGINS])],
    databaseUrl: variables.DATABASE_URL ?? null,
    directDatabaseUrl: variables.DIRECT_DATABASE_URL ?? null,
    replicaDatabaseUrl: variables.REPLICA_DATABASE_URL ?? null,
    databasePoolSize: variables.DATABASE_POOL_SIZE,
    decisionPoolSize: variables.DECISION_POOL_SIZE,
    databasePrepare: variables.DATABASE_PREPARE,
    ...secrets(variables, dataDir),
    signUp: variables.SIGN_UP,
    requireVerifiedEmail: variables.REQUIRE_VERIFIED_EMAIL ?? production,
    adminEmails: variables.ADMIN_EMAILS,
    authAttemptsPerAddress: variables.AUTH_ATTEMPTS_PER_ADDRESS,
    authAttemptsPerAccount: variables.AUTH_ATTEMPTS_PER_ACCOUNT,
    requestsPerCaller: variables.REQUESTS_PER_CALLER,
    trustedProxies: variables.TRUSTED_PROXIES,
    smtpUrl: smtpUrl === "none" ? null : smtpUrl,
    mailFrom: variables.MAIL_FROM ?? `Purser <purser@${new URL(baseUrl).hostname}>`,
    dataDir,
    seedDemo: variables.SEED_DEMO && !production,
    sandbox: variables.SANDBOX ?? !production,
    plaid: plaidKeys(variables),
    yapily: yapilyKeys(variables),
    stripeIssuing: stripeIssuingKeys(variables),
    lithic: lithicKeys(variables),
    ...paymentKeys(variables),
    metricsToken: variables.METRICS_TOKEN ?? null,
    traces: tracesOf(variables),
    logLevel: variables.LOG_LEVEL,
  };
}

/** The process's own environment, completed by a file `.env` at the project's root where there is one. */
export function processEnvironment(): NodeJS.ProcessEnv {
  const file = join(projectRoot(), ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

function secrets(variables: Variables, dataDir: string): Pick<Settings, "authSecret" | "encryptionKeys"> {
  const { AUTH_SECRET: authSecret, ENCRYPTION_KEYS: encryptionKeys } = variables;
  if (authSecret && encryptionKeys) return { authSecret, encryptionKeys };
  const kept = keptSecrets(dataDir);
  return { authSecret: authSecret ?? kept.authSecret, encryptionKeys: encryptionKeys ?? kept.encryptionKeys };
}

function plaidKeys({ PLAID_CLIENT_ID, PLAID_SECRET, PLAID_ENVIRONMENT }: Variables): Settings["plaid"] {
  if (PLAID_CLIENT_ID === undefined || PLAID_SECRET === undefined) return null;
  return { clientId: PLAID_CLIENT_ID, secret: PLAID_SECRET, environment: PLAID_ENVIRONMENT };
}

function yapilyKeys({ YAPILY_APPLICATION_ID, YAPILY_APPLICATION_SECRET }: Variables): Settings["yapily"] {
  if (YAPILY_APPLICATION_ID === undefined || YAPILY_APPLICATION_SECRET === undefined) return null;
  return { applicationId: YAPILY_APPLICATION_ID, applicationSecret: YAPILY_APPLICATION_SECRET };
}

function stripeIssuingKeys(variables: Variables): Settings["stripeIssuing"] {
  const { STRIPE_ISSUING_API_KEY: apiKey, STRIPE_ISSUING_WEBHOOK_SECRETS: webhookSecrets } = variables;
  const { STRIPE_ISSUING_BILLING_ADDRESS: billingAddress } = variables;
  if (apiKey === undefined || webhookSecrets === undefined || billingAddress === undefined) return null;
  const { STRIPE_ISSUING_CURRENCIES: currencies } = variables;
  return { apiKey, webhookSecrets, billingAddress, ...(currencies.length > 0 && { currencies }) };
}

function lithicKeys(variables: Variables): Settings["lithic"] {
  const { LITHIC_API_KEY: apiKey, LITHIC_WEBHOOK_SECRETS: webhookSecrets } = variables;
  if (apiKey === undefined || webhookSecrets === undefined) return null;
  const { LITHIC_ENVIRONMENT, LITHIC_CURRENCIES: currencies } = variables;
  return {
    apiKey,
    webhookSecrets,
    environment: LITHIC_ENVIRONMENT,
    ...(currencies.length > 0 && { currencies }),
  };
}

function paymentKeys(
  variables: Variables,
): Pick<Settings, "localBilling" | "stripeBilling" | "paddle" | "polar" | "lemonSqueezy"> {
  const { STRIPE_BILLING_API_KEY: stripeKey, STRIPE_BILLING_WEBHOOK_SECRETS: stripeSecrets } = variables;
  const { PADDLE_API_KEY: paddleKey, PADDLE_WEBHOOK_SECRETS: paddleSecrets } = variables;
  const { PADDLE_CLIENT_TOKEN: clientToken, PADDLE_ENVIRONMENT, POLAR_ENVIRONMENT } = variables;
  const { POLAR_ACCESS_TOKEN: accessToken, POLAR_WEBHOOK_SECRETS: polarSecrets } = variables;
  const { LEMONSQUEEZY_API_KEY: lemonKey, LEMONSQUEEZY_STORE_ID: storeId } = variables;
  const { LEMONSQUEEZY_WEBHOOK_SECRETS: lemonSecrets } = variables;
  return {
    localBilling: variables.LOCAL_BILLING ?? variables.NODE_ENV !== "production",
    stripeBilling: stripeKey && stripeSecrets ? { apiKey: stripeKey, webhookSecrets: stripeSecrets } : null,
    paddle:
      paddleKey && paddleSecrets && clientToken
        ? { apiKey: paddleKey, webhookSecrets: paddleSecrets, clientToken, environment: PADDLE_ENVIRONMENT }
        : null,
    polar:
      accessToken && polarSecrets
        ? { accessToken, webhookSecrets: polarSecrets, environment: POLAR_ENVIRONMENT }
        : null,
    lemonSqueezy:
      lemonKey && storeId && lemonSecrets
        ? { apiKey: lemonKey, storeId, webhookSecrets: lemonSecrets }
        : null,
  };
}

function tracesOf(variables: Variables): Settings["traces"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = variables;
  const url = traces ?? (collector && `${collector}/v1/traces`);
  return url === undefined ? null : { url, share: variables.OTEL_TRACES_SAMPLER_ARG };
}

type Variables = z.infer<ReturnType<typeof environment>>;

function complaint(issues: readonly z.core.$ZodIssue[]): string {
  const faults = issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  return `Purser cannot start as its environment is: ${faults.join("; ")}. README.md describes every variable.`;
}

/** The folder of the workspace that this module is part of; a packed service has none, and counts from where it runs. */
function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "pnpm-workspace.yaml"))) {
    const parent = dirname(folder);
    if (parent === folder) return process.cwd();
    folder = parent;
  }
  return folder;
}
