import { randomBytes } from "node:crypto";
import type { ServiceSettings } from "@purser/service";

/** Settings close to production, with fresh secrets and limits too high to matter. */
export function testSettings(): ServiceSettings {
  const baseUrl = "http://localhost:3000";
  return {
    production: false,
    role: "all",
    port: 3000,
    host: "127.0.0.1",
    httpLimits: {
      maxConnections: 2000,
      bodyMemoryBytes: 32 * 1024 * 1024,
      responseMemoryBytes: 64 * 1024 * 1024,
      headerTimeoutMs: 15_000,
      requestTimeoutMs: 30_000,
      responseTimeoutMs: 60_000,
    },
    baseUrl,
    appUrl: baseUrl,
    trustedOrigins: [baseUrl],
    databaseUrl: null,
    directDatabaseUrl: null,
    replicaDatabaseUrl: null,
    databasePoolSize: 10,
    decisionPoolSize: 5,
    databasePrepare: true,
    authSecret: randomBytes(32).toString("base64url"),
    encryptionKeys: [{ version: 1, key: randomBytes(32) }],
    signUp: "open",
    requireVerifiedEmail: true,
    adminEmails: [],
    authAttemptsPerAddress: 1_000_000,
    authAttemptsPerAccount: 10,
    requestsPerCaller: 1_000_000,
    invitationsPerSender: 1_000_000,
    invitationsPerOrganization: 1_000_000,
    webhookRetentionDays: 90,
    trustedProxies: [],
    smtpUrl: null,
    mailFrom: "Purser <purser@localhost>",
    dataDir: "",
    seedDemo: false,
    sandbox: true,
    localBilling: true,
    banks: {},
    issuers: {},
    payments: {},
    metricsToken: null,
    traces: null,
    logLevel: "silent",
  };
}
