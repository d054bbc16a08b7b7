import type { Clock } from "@purser/core";
import { z } from "zod";
import type { BankProvider, ProviderName as BankProviderName } from "@purser/banking/ports";
import { plaidSettings } from "@purser/plaid/settings";
import { yapilySettings } from "@purser/yapily/settings";
import type { PaymentProvider, PaymentProviderName } from "@purser/billing/ports";
import { lemonSqueezySettings } from "@purser/lemonsqueezy/settings";
import { paddleSettings } from "@purser/paddle/settings";
import { polarSettings } from "@purser/polar/settings";
import { stripeBillingSettings, stripeIssuingSettings } from "@purser/stripe/settings";
import type { CardIssuer, IssuerName } from "@purser/cards/ports";
import { lithicSettings } from "@purser/lithic/settings";
import type { Platform } from "@purser/platform";
import type { Settings } from "@purser/platform/settings";
import type { ProviderSettings } from "@purser/platform/settings";

// One entry per vendor, in the order of the README's table. The type checker asks for an entry for each name that the
// contract publishes.

export const banks = {
  plaid: provider(plaidSettings, async () => (await import("@purser/plaid")).plaidBank, {
    hasWebhooks: true,
  }),
  yapily: provider(yapilySettings, async () => (await import("@purser/yapily")).yapilyBank),
} satisfies Record<Exclude<BankProviderName, "sandbox">, unknown>;

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

/** The providers' part of the settings: an entry for each one that is configured. */
export interface ProvidersSettings {
  banks: Configured<typeof banks>;
  issuers: Configured<typeof issuers>;
  payments: Configured<typeof payments>;
  /** Whether the built-in payment provider is on, whose money is made up. */
  localBilling: boolean;
}

/** What each of these providers finds of its own variables, without those that are not configured. */
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

export function bankLoaders(parts: Parts): Loaders<BankProviderName, BankProvider> {
  const loaders: Loaders<BankProviderName, BankProvider> = new Map();
  if (parts.settings.sandbox)
    loaders.set("sandbox", async () => (await import("@purser/banking/sandbox")).sandboxBank(parts));
  return addConfigured(loaders, banks, parts.settings.banks, { ...parts, area: "banking" });
}

/** The bank providers that send webhooks. The others are only polled, and have no webhook address. */
export const banksWithWebhooks: ReadonlySet<BankProviderName> = new Set<BankProviderName>([
  "sandbox",
  ...namesIn(banks).filter((name) => banks[name].hasWebhooks),
]);

/** The sandbox comes last: where an issuer of real cards is configured, that one issues them. */
export function issuerLoaders(parts: Parts): Loaders<IssuerName, CardIssuer> {
  const { settings } = parts;
  const loaders: Loaders<IssuerName, CardIssuer> = new Map();
  addConfigured(loaders, issuers, settings.issuers, { ...parts, area: "cards" });
  if (settings.sandbox)
    loaders.set("sandbox", async () => (await import("@purser/cards/sandbox")).sandboxIssuer({ settings }));
  return loaders;
}

export function paymentLoaders(parts: Parts): Loaders<PaymentProviderName, PaymentProvider> {
  const loaders: Loaders<PaymentProviderName, PaymentProvider> = new Map();
  addConfigured(loaders, payments, parts.settings.payments, { ...parts, area: "billing" });
  if (parts.settings.localBilling)
    loaders.set("local", async () => (await import("@purser/billing/sandbox")).sandboxPayments(parts));
  return loaders;
}

/** What an adapter gets beside its own settings. */
interface ProviderEnvironment {
  clock: Clock;
  /** Our public address for the provider's webhooks. */
  webhookUrl: string;
  /** Our page on which a payment provider without pages opens its checkout. */
  checkoutUrl: string;
}

interface Provider<Own, Adapter> {
  settings: { variables: z.ZodRawShape; setTogether: readonly (readonly [string, string])[] };
  hasWebhooks: boolean;
  /** Null where the provider is not configured. */
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
