/**
 * The providers' names. They are part of the published contract: the contracts' enums and the columns' types derive
 * from these lists, and the composition root must register an adapter for each name.
 */
export const bankProviderNames = ["sandbox", "plaid", "yapily"] as const;
export const cardIssuerNames = ["sandbox", "stripe", "lithic"] as const;
export const paymentProviderNames = ["local", "stripe", "paddle", "polar", "lemonsqueezy"] as const;
