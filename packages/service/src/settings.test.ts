import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SettingsError } from "@purser/platform/settings";
import { afterAll, describe, expect, it } from "vitest";
import { banks, issuers, payments } from "./providers.ts";
import { environmentTable, readSettings } from "./settings.ts";

const key = (fill: number) => Buffer.alloc(32, fill).toString("base64");
const folder = mkdtempSync(join(tmpdir(), "purser-settings-"));
const development = () => ({ DATA_DIR: mkdtempSync(join(folder, "data-")) });
afterAll(() => rmSync(folder, { recursive: true }));

const production = {
  NODE_ENV: "production",
  BASE_URL: "https://purser.example.com",
  DATABASE_URL: "postgres://purser:hunter2@db.example.com/purser",
  AUTH_SECRET: "s".repeat(32),
  ENCRYPTION_KEYS: `1:${key(1)},2:${key(2)}`,
  SMTP_URL: "smtp://mail.example.com:587",
};

function settingsErrorFor(environment: Record<string, string | undefined>): string {
  try {
    readSettings(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error("The environment was accepted");
}

describe("settings in development", () => {
  it("needs no variable at all", () => {
    const settings = readSettings(development());
    expect(settings).toMatchObject({
      production: false,
      role: "all",
      port: 3000,
      host: "127.0.0.1",
      baseUrl: "http://localhost:3000",
      appUrl: "http://localhost:3000",
      trustedOrigins: ["http://localhost:3000"],
      databaseUrl: null,
      smtpUrl: null,
      seedDemo: true,
      requireVerifiedEmail: false,
    });
  });

  it("treats an empty variable as absent", () => {
    expect(readSettings({ ...development(), PORT: "", BASE_URL: "  " }).port).toBe(3000);
  });

  it("generates secrets once and stores them in a file that only its owner can read", () => {
    const environment = development();
    const first = readSettings(environment);
    const file = join(environment.DATA_DIR, "secrets.json");
    expect(first.authSecret.length).toBeGreaterThanOrEqual(32);
    expect(first.encryptionKeys).toHaveLength(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readSettings(environment)).toEqual(first);
    expect(readFileSync(file, "utf8")).toContain(first.authSecret);
  });

  it("prefers a secret from the environment to the generated one", () => {
    const environment = development();
    const generated = readSettings(environment);
    const configured = readSettings({ ...environment, AUTH_SECRET: "x".repeat(40) });
    expect(configured.authSecret).toBe("x".repeat(40));
    expect(configured.encryptionKeys).toEqual(generated.encryptionKeys);
  });

  it("reports a damaged secrets file", () => {
    const environment = development();
    writeFileSync(
      join(environment.DATA_DIR, "secrets.json"),
      `{"authSecret":"${"a".repeat(32)}","encryptionKeys":"1:x"}`,
    );
    expect(() => readSettings(environment)).toThrow(/encryption keys in .*secrets\.json are damaged/);
  });

  it("puts the data folder in the project's root, independent of the working directory", () => {
    const settings = readSettings({ AUTH_SECRET: "x".repeat(40), ENCRYPTION_KEYS: `1:${key(1)}` });
    const root = join(import.meta.dirname, "../../..");
    expect(settings.dataDir).toBe(join(root, ".purser"));
  });
});

describe("settings in production", () => {
  it("keeps the order of encryption keys, because the first one encrypts, and trusts the service's own origin", () => {
    const settings = readSettings({
      ...production,
      TRUSTED_ORIGINS: "https://app.example.com, http://localhost:5173/",
    });
    expect(settings.encryptionKeys.map(({ version }) => version)).toEqual([1, 2]);
    expect(settings.encryptionKeys[0]?.key).toEqual(Buffer.alloc(32, 1));
    expect(settings.trustedOrigins).toEqual([
      "https://purser.example.com",
      "https://app.example.com",
      "http://localhost:5173",
    ]);
    expect(settings).toMatchObject({ host: "0.0.0.0", requireVerifiedEmail: true, seedDemo: false });
  });

  it("never seeds, even if SEED_DEMO is set", () => {
    expect(readSettings({ ...production, SEED_DEMO: "1" }).seedDemo).toBe(false);
  });

  it("names all missing variables in one message", () => {
    const message = settingsErrorFor({ NODE_ENV: "production" });
    for (const name of ["BASE_URL", "DATABASE_URL", "AUTH_SECRET", "ENCRYPTION_KEYS", "SMTP_URL"]) {
      expect(message).toContain(`${name} must be`);
    }
    expect(message).not.toContain("\n");
  });

  it("names the command that makes a missing secret", () => {
    const message = settingsErrorFor({ NODE_ENV: "production" });
    expect(message).toMatch(/AUTH_SECRET must be [^;]*openssl rand -base64 32/);
    expect(message).toMatch(/ENCRYPTION_KEYS must be [^;]*echo "1:\$\(openssl rand -base64 32\)"/);
  });

  it("keeps the parameters of the database's address that both drivers know, and drops those without effect", () => {
    const address = (parameters: string) =>
      readSettings({ ...production, DATABASE_URL: `${production.DATABASE_URL}?${parameters}` }).databaseUrl;
    const known = "sslmode=require&options=-c%20search_path%3Dpurser&application_name=purser";
    expect(address(known)).toBe(`${production.DATABASE_URL}?${known}`);
    expect(address("sslmode=require&channel_binding=require&connect_timeout=15")).toBe(
      `${production.DATABASE_URL}?sslmode=require`,
    );
  });

  it("names the parameters of the database's address that it does not know, but no part of a password", () => {
    const messageFor = (DATABASE_URL: string) => settingsErrorFor({ ...production, DATABASE_URL });
    expect(
      messageFor(`${production.DATABASE_URL}?sslmode=verify-full&sslrootcert=/ca.pem&pgbouncer=true`),
    ).toMatch(
      /DATABASE_URL must have no parameters but host, sslmode, .*application_name, and has sslrootcert, pgbouncer\./,
    );
    for (const password of ["1?hunter2", "1?hunter&x", "1?hunter=x"])
      expect(messageFor(`postgres://purser:${password}@db.example.com/purser`)).not.toContain("hunter");
  });

  it.each([
    "purser@example.com",
    "Purser <purser@mail>",
    '"Purser, Inc." <purser@example.com>',
    "<p@example.com>",
  ])("sends mails as %s", (sender) =>
    expect(readSettings({ ...production, MAIL_FROM: sender }).mailFrom).toBe(sender),
  );

  it("disables mail only if SMTP_URL is none", () => {
    expect(readSettings({ ...production, SMTP_URL: "none" }).smtpUrl).toBeNull();
  });
});

describe("a bad variable", () => {
  it.each([
    ["NODE_ENV", "staging"],
    ["PORT", "80a"],
    ["PORT", "70000"],
    ["HOST", "two words"],
    ["BASE_URL", "purser.example.com"],
    ["BASE_URL", "https://purser.example.com/under/here"],
    ["BASE_URL", "https://user:hunter3@purser.example.com"],
    ["APP_URL", "javascript:alert(1)"],
    ["TRUSTED_ORIGINS", "https://app.example.com/path"],
    ["TRUSTED_ORIGINS", "*"],
    ["TRUSTED_ORIGINS", "https://*.example.com"],
    ["DATABASE_URL", "mysql://hunter3@db/purser"],
    ["DIRECT_DATABASE_URL", "hunter3"],
    ["REPLICA_DATABASE_URL", "hunter3"],
    ["DATABASE_POOL_SIZE", "0"],
    ["DATABASE_PREPARE", "maybe"],
    ["AUTH_SECRET", "hunter3"],
    ["ENCRYPTION_KEYS", "1:hunter3"],
    ["ENCRYPTION_KEYS", `1:${key(1)},1:${key(2)}`],
    ["ENCRYPTION_KEYS", `0:${key(1)}`],
    ["SIGN_UP", "closed"],
    ["REQUIRE_VERIFIED_EMAIL", "yes"],
    ["ADMIN_EMAILS", "admin@example.com,nobody"],
    ["AUTH_ATTEMPTS_PER_ADDRESS", "-1"],
    ["AUTH_ATTEMPTS_PER_ACCOUNT", "1.5"],
    ["REQUESTS_PER_CALLER", "many"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "proxy.internal"],
    ["SMTP_URL", "https://hunter3@mail.example.com"],
    ["MAIL_FROM", "Purser"],
    ["MAIL_FROM", "Purser <hunter3>"],
    ["MAIL_FROM", '"Purser <purser@example.com>"'],
    ["MAIL_FROM", "'purser@example.com'"],
    ["MAIL_FROM", "purser@example.com, other@example.com"],
    ["SEED_DEMO", "2"],
    ["METRICS_TOKEN", "hunter3"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "hunter3:4318"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["LOG_LEVEL", "verbose"],
  ])("%s is named in the message, without its value %s", (name, value) => {
    const message = settingsErrorFor({ ...development(), [name]: value });
    expect(message).toContain(`${name} must be`);
    expect(message).not.toContain("hunter");
    expect(message).not.toContain("\n");
  });

  it("does not hide another", () => {
    expect(settingsErrorFor({ ...production, PORT: "x", LOG_LEVEL: "x" })).toMatch(
      /PORT must be .*LOG_LEVEL must be/,
    );
  });
});

describe("a provider's variables", () => {
  const pairs = [...Object.values(banks), ...Object.values(issuers), ...Object.values(payments)].flatMap(
    ({ settings }) => settings.setTogether,
  );

  it.each(pairs)("%s without %s is refused, and the message names both", (one, other) => {
    const message = settingsErrorFor({ ...production, [one]: "key" });
    expect(message).toContain(`${one} must be set together with ${other}`);
  });

  it("is refused with a value that requires another one, and the message names both", () => {
    const lithic = { LITHIC_API_KEY: "key", LITHIC_WEBHOOK_SECRETS: "secret" };
    const enrolling = { ...production, ...lithic, LITHIC_ACCOUNT_HOLDERS: "authorized_user" };
    const sentence = "LITHIC_BUSINESS_ACCOUNT must be set if LITHIC_ACCOUNT_HOLDERS is authorized_user";
    expect(settingsErrorFor(enrolling)).toContain(sentence);
    readSettings({ ...enrolling, LITHIC_BUSINESS_ACCOUNT: "token" });
    readSettings({ ...enrolling, LITHIC_ACCOUNT_HOLDERS: "kyc_basic" });
    readSettings({ ...production, LITHIC_ACCOUNT_HOLDERS: "authorized_user" });
  });

  it("are the settings of its adapter, which is absent without them", () => {
    const set = { YAPILY_APPLICATION_ID: "id", YAPILY_APPLICATION_SECRET: "secret" };
    const card = { LITHIC_API_KEY: "key", LITHIC_WEBHOOK_SECRETS: "one,two", LITHIC_CURRENCIES: "USD,CAD" };
    expect(readSettings({ ...production, ...set, ...card })).toMatchObject({
      banks: { yapily: { applicationId: "id", applicationSecret: "secret" } },
      issuers: {
        lithic: {
          apiKey: "key",
          environment: "production",
          webhookSecrets: ["one", "two"],
          currencies: ["USD", "CAD"],
        },
      },
      payments: {},
    });
    const { banks: none, issuers: noIssuers, payments: noPayments } = readSettings(production);
    expect([none, noIssuers, noPayments]).toEqual([{}, {}, {}]);
  });
});

describe("traces", () => {
  it("go to the collector in OpenTelemetry's variables, and are off without one", () => {
    const tracesOf = (more: object) => readSettings({ ...production, ...more }).traces;
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com/otel/" };
    const url = "https://collector.example.com/otel/v1/traces";
    expect(tracesOf({})).toBeNull();
    expect(tracesOf(collector)).toEqual({ url, share: 1 });
    expect(tracesOf({ ...collector, OTEL_TRACES_SAMPLER_ARG: "0.05" })).toEqual({ url, share: 0.05 });
    const elsewhere = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/traces" };
    expect(tracesOf({ ...collector, ...elsewhere })).toEqual({
      url: "http://127.0.0.1:4318/traces",
      share: 1,
    });
  });
});

describe("the table of variables", () => {
  it("has a row with default and meaning for each variable", () => {
    const rows = environmentTable().split("\n").slice(2);
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row).toMatch(/^\| `[A-Z_]+` \| [^|]+ \| [^|]+ \|$/);
  });
});
