import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSettings } from "@purser/db";
import type { z } from "zod";
import type { Keyring } from "../secrets.ts";
import { developmentSecrets } from "./development-secrets.ts";
import type { operationsVariables, platformVariables } from "./variables.ts";

/** The settings that the platform and the areas read. The service adds its own and the providers'. */
export interface Settings extends DatabaseSettings {
  production: boolean;
  /** Whether this process serves requests, runs jobs, or both. A worker still serves its health and metrics. */
  role: Variables["ROLE"];
  /** 0 lets the system choose. */
  port: number;
  host: string;
  httpLimits: HttpLimits;
  /** How long the process still accepts connections after a signal to stop. */
  shutdownDelayMs: number;
  /** The service's own address, without a trailing slash. */
  baseUrl: string;
  /** The base address of links in mails. */
  appUrl: string;
  /** The origins that CORS allows and that may act with a cookie; the origin of baseUrl is one of them. */
  trustedOrigins: readonly string[];
  authSecret: string;
  encryptionKeys: Keyring;
  signUp: Variables["SIGN_UP"];
  /** Whether sign-up opens no session and creates the account in the background, so it does not reveal known addresses. */
  confirmSignUp: boolean;
  requireVerifiedEmail: boolean;
  adminEmails: readonly string[];
  authAttemptsPerAddress: number;
  authAttemptsPerAccount: number;
  requestsPerCaller: number;
  /** The largest numbers of invitations in a day. */
  invitationsPerSender: number;
  invitationsPerOrganization: number;
  /** How long events and their deliveries stay, and how long a cursor of their feed is valid. */
  eventRetentionDays: number;
  /** Whether webhooks may go to http addresses, to any port and into private networks. */
  webhooksAllowPrivate: boolean;
  /** How long webhook events stay after they were applied or ignored. */
  webhookRetentionDays: number;
  /** Addresses or CIDR blocks of the proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
  smtpUrl: string | null;
  mailFrom: string;
  dataDir: string;
  seedDemo: boolean;
  /** Whether the built-in sandbox providers are available, with the procedures that control them. */
  sandbox: boolean;
  /** The bearer token for /metrics; null if it is open. */
  metricsToken: string | null;
  /** The collector's address and the share of traces to keep, from 0 to 1; null without tracing. */
  traces: { url: string; share: number } | null;
  logLevel: Variables["LOG_LEVEL"];
}

/** What clients may use of a process before anything is known about them. */
export interface HttpLimits {
  maxConnections: number;
  /** The memory for bodies over 16 KiB. */
  bodyMemoryBytes: number;
  /** The memory for responses that clients have not read yet. */
  responseMemoryBytes: number;
  headerTimeoutMs: number;
  /** Includes the headers. */
  requestTimeoutMs: number;
  responseTimeoutMs: number;
}

/** The environment is not valid. The message names every variable at fault, and no values. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

type Variables = z.output<
  z.ZodObject<ReturnType<typeof platformVariables> & ReturnType<typeof operationsVariables>>
>;

/** Derives the settings from these variables. Outside production it may write DATA_DIR/secrets.json. */
export function platformSettings(variables: Variables): Omit<Settings, "sandbox"> {
  const production = variables.NODE_ENV === "production";
  const baseUrl = variables.BASE_URL ?? `http://localhost:${variables.PORT}`;
  const dataDir = resolve(projectRoot(), variables.DATA_DIR);
  const { SMTP_URL: smtpUrl = "none" } = variables;
  return {
    production,
    role: variables.ROLE,
    port: variables.PORT,
    host: variables.HOST ?? (production ? "0.0.0.0" : "127.0.0.1"),
    httpLimits: {
      maxConnections: variables.MAX_CONNECTIONS,
      bodyMemoryBytes: variables.BODY_MEMORY_MIB * mebibyte,
      responseMemoryBytes: variables.RESPONSE_MEMORY_MIB * mebibyte,
      headerTimeoutMs: variables.HEADER_TIMEOUT_SECONDS * 1000,
      requestTimeoutMs: variables.REQUEST_TIMEOUT_SECONDS * 1000,
      responseTimeoutMs: variables.RESPONSE_TIMEOUT_SECONDS * 1000,
    },
    shutdownDelayMs: variables.SHUTDOWN_DELAY_SECONDS * 1000,
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
    confirmSignUp: variables.CONFIRM_SIGN_UP,
    requireVerifiedEmail: variables.REQUIRE_VERIFIED_EMAIL ?? production,
    adminEmails: variables.ADMIN_EMAILS,
    authAttemptsPerAddress: variables.AUTH_ATTEMPTS_PER_ADDRESS,
    authAttemptsPerAccount: variables.AUTH_ATTEMPTS_PER_ACCOUNT,
    requestsPerCaller: variables.REQUESTS_PER_CALLER,
    invitationsPerSender: variables.INVITATIONS_PER_SENDER,
    invitationsPerOrganization: variables.INVITATIONS_PER_ORGANIZATION,
    eventRetentionDays: variables.EVENT_RETENTION_DAYS,
    webhooksAllowPrivate: variables.WEBHOOKS_ALLOW_PRIVATE ?? !production,
    webhookRetentionDays: variables.WEBHOOK_RETENTION_DAYS,
    trustedProxies: variables.TRUSTED_PROXIES,
    smtpUrl: smtpUrl === "none" ? null : smtpUrl,
    mailFrom: variables.MAIL_FROM ?? `Purser <purser@${new URL(baseUrl).hostname}>`,
    dataDir,
    seedDemo: variables.SEED_DEMO && !production,
    metricsToken: variables.METRICS_TOKEN ?? null,
    traces: tracesOf(variables),
    logLevel: variables.LOG_LEVEL,
  };
}

const mebibyte = 1024 * 1024;

/** Returns the process's environment, completed by a file `.env` at the project's root if there is one. */
export function processEnvironment(): NodeJS.ProcessEnv {
  const file = join(projectRoot(), ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

function secrets(variables: Variables, dataDir: string): Pick<Settings, "authSecret" | "encryptionKeys"> {
  const { AUTH_SECRET: authSecret, ENCRYPTION_KEYS: encryptionKeys } = variables;
  if (authSecret && encryptionKeys) return { authSecret, encryptionKeys };
  const generated = developmentSecrets(dataDir);
  return {
    authSecret: authSecret ?? generated.authSecret,
    encryptionKeys: encryptionKeys ?? generated.encryptionKeys,
  };
}

function tracesOf(variables: Variables): Settings["traces"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = variables;
  const url = traces ?? (collector && `${collector}/v1/traces`);
  return url === undefined ? null : { url, share: variables.OTEL_TRACES_SAMPLER_ARG };
}

/** Returns the folder of the workspace. A bundled service has none and uses its working directory. */
function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "pnpm-workspace.yaml"))) {
    const parent = dirname(folder);
    if (parent === folder) return process.cwd();
    folder = parent;
  }
  return folder;
}
