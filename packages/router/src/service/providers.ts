import type { Clock } from "@purser/core";
import type { BankProvider, ProviderName as BankProviderName } from "../banking/index.ts";
import type { PaymentProvider, ProviderName as PaymentProviderName } from "../billing/index.ts";
import type { CardIssuer, IssuerName } from "../cards/index.ts";
import type { Platform } from "../platform/context.ts";
import type { Settings } from "../platform/settings.ts";

// One entry per vendor. The type checker asks for an entry for each name that the contract publishes.

const banks = {
  plaid: provider(
    ({ plaid }) => plaid,
    async () => (await import("../banking/providers/plaid/plaid.ts")).plaidBank,
    { hasWebhooks: true },
  ),
  yapily: provider(
    ({ yapily }) => yapily,
    async () => (await import("../banking/providers/yapily/yapily.ts")).yapilyBank,
  ),
} satisfies Record<Exclude<BankProviderName, "sandbox">, unknown>;

const issuers = {
  stripe: provider(
    ({ stripeIssuing }) => stripeIssuing,
    async () => (await import("../cards/issuers/stripe/stripe.ts")).stripeIssuer,
  ),
  lithic: provider(
    ({ lithic }) => lithic,
    async () => (await import("../cards/issuers/lithic/lithic.ts")).lithicIssuer,
  ),
} satisfies Record<Exclude<IssuerName, "sandbox">, unknown>;

const payments = {
  stripe: provider(
    ({ stripeBilling }) => stripeBilling,
    async () => (await import("../billing/providers/stripe/stripe.ts")).stripePayments,
  ),
  paddle: provider(
    ({ paddle }) => paddle,
    async () => (await import("../billing/providers/paddle/paddle.ts")).paddlePayments,
  ),
  polar: provider(
    ({ polar }) => polar,
    async () => (await import("../billing/providers/polar/polar.ts")).polarPayments,
  ),
  lemonsqueezy: provider(
    ({ lemonSqueezy }) => lemonSqueezy,
    async () => (await import("../billing/providers/lemonsqueezy/lemonsqueezy.ts")).lemonsqueezyPayments,
  ),
} satisfies Record<Exclude<PaymentProviderName, "local">, unknown>;

type Parts = Pick<Platform, "db" | "clock" | "settings" | "outbox">;
type Loaders<Name, Adapter> = Map<Name, () => Promise<Adapter>>;

export function bankLoaders(parts: Parts): Loaders<BankProviderName, BankProvider> {
  const loaders: Loaders<BankProviderName, BankProvider> = new Map();
  if (parts.settings.sandbox)
    loaders.set("sandbox", async () =>
      (await import("../banking/providers/sandbox/sandbox.ts")).sandboxBank(parts),
    );
  return addConfigured(loaders, banks, parts, "banking");
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
  addConfigured(loaders, issuers, parts, "cards");
  if (settings.sandbox)
    loaders.set("sandbox", async () =>
      (await import("../cards/issuers/sandbox/sandbox.ts")).sandboxIssuer({ settings }),
    );
  return loaders;
}

export function paymentLoaders(parts: Parts): Loaders<PaymentProviderName, PaymentProvider> {
  const loaders: Loaders<PaymentProviderName, PaymentProvider> = new Map();
  addConfigured(loaders, payments, parts, "billing");
  if (parts.settings.localBilling)
    loaders.set("local", async () =>
      (await import("../billing/providers/local/local.ts")).localPayments(parts),
    );
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

interface Provider<Adapter> {
  hasWebhooks: boolean;
  /** Null where the provider is not configured. */
  loader(settings: Settings, environment: ProviderEnvironment): (() => Promise<Adapter>) | null;
}

function provider<Own extends object, Adapter>(
  settingsOf: (settings: Settings) => Own | null,
  load: () => Promise<(config: Own & ProviderEnvironment) => Adapter>,
  { hasWebhooks = false } = {},
): Provider<Adapter> {
  return {
    hasWebhooks,
    loader(settings, environment) {
      const own = settingsOf(settings);
      return own && (async () => (await load())({ ...own, ...environment }));
    },
  };
}

function addConfigured<Name extends string, Adapter>(
  loaders: Loaders<Name, Adapter>,
  providers: Partial<Record<Name, Provider<Adapter>>>,
  { settings, clock }: Parts,
  area: string,
): Loaders<Name, Adapter> {
  const { baseUrl } = settings;
  for (const name of namesIn(providers)) {
    const webhookUrl = `${baseUrl}/api/webhooks/${area}/${name}`;
    const environment = { clock, webhookUrl, checkoutUrl: `${baseUrl}/billing/${name}` };
    const load = providers[name]?.loader(settings, environment) ?? null;
    if (load !== null) loaders.set(name, load);
  }
  return loaders;
}

function namesIn<Name extends string>(providers: Partial<Record<Name, unknown>>): Name[] {
  return Object.keys(providers) as Name[];
}
