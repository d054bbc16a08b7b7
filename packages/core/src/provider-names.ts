/**
 * The published provider names. `pnpm generate` writes this file from packages/service/src/providers.ts.
 * The contracts' enums and the columns' types derive from these lists.
 */
export const bankProviderNames = ["sandbox", "plaid", "yapily"] as const;
export const cardIssuerNames = ["sandbox", "stripe", "lithic"] as const;
export const paymentProviderNames = ["local", "stripe", "paddle", "polar", "lemonsqueezy"] as const;
