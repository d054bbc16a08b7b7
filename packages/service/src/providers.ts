import type { BankProvider, ProviderName as BankProviderName } from "@purser/banking/ports";
import type { PaymentProvider, PaymentProviderName } from "@purser/billing/ports";
import type { CardIssuer, IssuerName } from "@purser/cards/ports";
import type { Clock } from "@purser/core";
import { lemonSqueezySettings } from "@purser/lemonsqueezy/settings";
import { lithicSettings } from "@purser/lithic/settings";
import { paddleSettings } from "@purser/paddle/settings";
import { plaidSettings } from "@purser/plaid/settings";
import type { Platform } from "@purser/platform";
import type { ProviderSettings, Settings } from "@purser/platform/settings";
import { polarSettings } from "@purser/polar/settings";
import { stripeBillingSettings, stripeIssuingSettings } from "@purser/stripe/settings";
import { yapilySettings } from "@purser/yapily/settings";
import { z } from "zod";

// One entry per vendor, in the order of the README's table. To add a vendor, write its package and its entry, and run
// `pnpm generate`, which publishes the name. An adapter is loaded on its first use.

export const banks = {
  plaid: provider(plaidSettings, async () => (await import("@purser/plaid")).plaidBank, {
    hasWebhooks: true,
  }),
  yapily: provider(yapilySettings, async () => (await import("@purser/yapily")).yapilyBank),
} satisfies Record<Exclude<BankProviderName, "sandbox">, unknown>;

/** The first configured issuer issues the cards. */
export const issuers = {
  stripe: provider(stripeIssuingSettings, async () => (await import("@purser/stripe/issuing")).stripeIssuer),
  lithic: provider(lithicSettings, async () => (await import("@purser/lithic")).lithicIssuer),
} satisfies Record<Exclude<IssuerName, "sandbox">, unknown>;

export const payments = {
  stripe: provider(
    stripeBillingSettings,
    async () => (await import("@purser/stripe/billing")).stripePayments,
  ),
  paddle: provider(paddleSettings, async () => (await import("@purser/paddle")).paddlePayments),
  polar: provider(polarSettings, async () => (await import("@purser/polar")).polarPayments),
  lemonsqueezy: provider(
    lemonSqueezySettings,
    async () => (await import("@purser/lemonsqueezy")).lemonSqueezyPayments,
  ),
} satisfies Record<Exclude<PaymentProviderName, "local">, unknown>;

/** The providers' part of the settings. It has an entry for each configured provider. */
export interface ProvidersSettings {
  banks: Configured<typeof banks>;
  issuers: Configured<typeof issuers>;
  payments: Configured<typeof payments>;
  /** Turns on the built-in payment provider, which moves no real money. */
  localBilling: boolean;
}

/** Reads the settings of the providers that the variables configure. */
export function configured<Own extends object, Adapter>(
  providers: Providers<Own, Adapter>,
  variables: Readonly<Record<string, string | undefined>>,
): Partial<Own> {
  const found: Partial<Own> = {};
  for (const name of namesIn(providers)) {
    const own = providers[name].read(variables);
    if (own !== null) found[name] = own;
  }
  return found;
}

type Parts = Pick<Platform, "db" | "clock" | "outbox"> & { settings: Settings & ProvidersSettings };
type Loaders<Name, Adapter> = Map<Name, () => Promise<Adapter>>;

/** One loader per configured bank provider, the sandbox first. */
export function bankLoaders(parts: Parts): Loaders<BankProviderName, BankProvider> {
  const loaders: Loaders<BankProviderName, BankProvider> = new Map();
  if (parts.settings.sandbox)
    loaders.set("sandbox", async () => (await import("@purser/banking/sandbox")).sandboxBank(parts));
  return addConfigured(loaders, banks, parts.settings.banks, { ...parts, area: "banking" });
}

/** The bank providers that send webhooks. The service polls the others, which have no webhook address. */
export const banksWithWebhooks: ReadonlySet<BankProviderName> = new Set<BankProviderName>([
  "sandbox",
  ...namesIn(banks).filter((name) => banks[name].hasWebhooks),
]);

/** One loader per configured issuer. The sandbox comes last, so it issues cards only if it is the only issuer. */
export function issuerLoaders(parts: Parts): Loaders<IssuerName, CardIssuer> {
  const { settings } = parts;
  const loaders: Loaders<IssuerName, CardIssuer> = new Map();
  addConfigured(loaders, issuers, settings.issuers, { ...parts, area: "cards" });
  if (settings.sandbox)
    loaders.set("sandbox", async () => (await import("@purser/cards/sandbox")).sandboxIssuer({ settings }));
  return loaders;
}

/** One loader per configured payment provider, the built-in one last. */
export function paymentLoaders(parts: Parts): Loaders<PaymentProviderName, PaymentProvider> {
  const loaders: Loaders<PaymentProviderName, PaymentProvider> = new Map();
  addConfigured(loaders, payments, parts.settings.payments, { ...parts, area: "billing" });
  if (parts.settings.localBilling)
    loaders.set("local", async () => (await import("@purser/billing/sandbox")).sandboxPayments(parts));
  return loaders;
}

/** What an adapter receives besides its own settings. */
interface ProviderEnvironment {
  clock: Clock;
  /** The public address of this service to which the provider sends webhooks. */
  webhookUrl: string;
  /** The page of this service that opens the checkout of a payment provider without hosted pages. */
  checkoutUrl: string;
}

interface Provider<Own, Adapter> {
  settings: { variables: z.ZodRawShape; setTogether: readonly (readonly [string, string])[] };
  hasWebhooks: boolean;
  /** Returns null if the provider is not configured. */
  read(variables: Readonly<Record<string, string | undefined>>): Own | null;
  load(own: Own, environment: ProviderEnvironment): Promise<Adapter>;
}

type Providers<Own, Adapter> = { [Name in keyof Own]: Provider<Own[Name], Adapter> };

type Configured<Registered> = {
  [Name in keyof Registered]?: Registered[Name] extends Provider<infer Own, unknown> ? Own : never;
};

function provider<Variables extends z.ZodRawShape, Own extends object, Adapter>(
  settings: ProviderSettings<Variables, Own>,
  load: () => Promise<(config: Own & ProviderEnvironment) => Adapter>,
  { hasWebhooks = false } = {},
): Provider<Own, Adapter> {
  return {
    settings,
    hasWebhooks,
    read: (variables) => settings.fromVariables(z.object(settings.variables).parse(variables)),
    load: async (own, environment) => (await load())({ ...own, ...environment }),
  };
}

function addConfigured<Name extends string, Own extends Partial<Record<Name, object>>, Adapter>(
  loaders: Loaders<Name | keyof Own, Adapter>,
  providers: Providers<Own, Adapter>,
  settings: Partial<Own>,
  { clock, area, settings: { baseUrl } }: Pick<Parts, "clock" | "settings"> & { area: string },
): typeof loaders {
  for (const name of namesIn(providers)) {
    const own = settings[name];
    if (own === undefined) continue;
    const webhookUrl = `${baseUrl}/api/webhooks/${area}/${String(name)}`;
    const environment = { clock, webhookUrl, checkoutUrl: `${baseUrl}/billing/${String(name)}` };
    loaders.set(name, () => providers[name].load(own, environment));
  }
  return loaders;
}

function namesIn<Registered extends object>(registered: Registered): (keyof Registered)[] {
  return Object.keys(registered) as (keyof Registered)[];
}
