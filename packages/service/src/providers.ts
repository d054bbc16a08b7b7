import type { BankProvider, ProviderName as BankProviderName } from "@purser/banking/ports";
import type { PaymentProvider, PaymentProviderName } from "@purser/billing/ports";
import type { CardIssuer, IssuerName } from "@purser/cards/ports";
import type { Platform } from "@purser/platform";
import type { Provider, Settings } from "@purser/platform/settings";

// One line per provider, in the order of docs/settings.md. To add one, follow "Add a provider" in CONTRIBUTING.md. A
// provider is small: its adapter and SDK are loaded on first use.

export const banks = {
  plaid: (await import("@purser/plaid")).plaid,
  yapily: (await import("@purser/yapily")).yapily,
} satisfies Record<Exclude<BankProviderName, "sandbox">, Provider<object, BankProvider>>;

/** New cards come from the first configured issuer that supports the currency. */
export const issuers = {
  stripe: (await import("@purser/stripe")).stripeIssuing,
  lithic: (await import("@purser/lithic")).lithic,
} satisfies Record<Exclude<IssuerName, "sandbox">, Provider<object, CardIssuer>>;

export const payments = {
  stripe: (await import("@purser/stripe")).stripeBilling,
  paddle: (await import("@purser/paddle")).paddle,
  polar: (await import("@purser/polar")).polar,
  lemonsqueezy: (await import("@purser/lemonsqueezy")).lemonSqueezy,
} satisfies Record<Exclude<PaymentProviderName, "local">, Provider<object, PaymentProvider>>;

/** The providers' part of the settings. It has an entry for each configured provider. */
export interface ProvidersSettings {
  banks: Configured<typeof banks>;
  issuers: Configured<typeof issuers>;
  payments: Configured<typeof payments>;
  /** Turns on the built-in payment provider, which moves no real money. */
  sandboxBilling: boolean;
}

/** Reads the settings of the providers that the variables configure. */
export function readConfigured<Own extends object, Adapter>(
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

/** One loader per configured issuer, in the order of preference for new cards. */
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
  if (parts.settings.sandboxBilling)
    loaders.set("local", async () => (await import("@purser/billing/sandbox")).sandboxPayments(parts));
  return loaders;
}

type Providers<Own, Adapter> = { [Name in keyof Own]: Provider<Own[Name], Adapter> };

type Configured<Registered> = {
  [Name in keyof Registered]?: Registered[Name] extends Provider<infer Own, unknown> ? Own : never;
};

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
