import type { Schemas } from "../api.ts";

type Feature = Schemas["Feature"];

/** The features of the example bank in Yapily's description that the adapter knows. */
export const allFeatures: Feature[] = [
  "INITIATE_ACCOUNT_REQUEST",
  "IDENTITY",
  "ACCOUNTS",
  "ACCOUNT",
  "ACCOUNT_BALANCES",
  "ACCOUNT_TRANSACTIONS",
  "ACCOUNT_TRANSACTIONS_WITH_MERCHANT",
];

export function exampleInstitution(
  over: Partial<Schemas["Institution"]> & { id: string },
): Schemas["Institution"] {
  return {
    name: over.id,
    fullName: `${over.name ?? over.id} plc`,
    countries: [{ countryCode2: "GB" }],
    media: [
      { source: `https://images.example/${over.id}/icon`, type: "icon" },
      { source: `https://images.example/${over.id}/logo`, type: "logo" },
    ],
    features: allFeatures,
    ...over,
  };
}

/** The example account in Yapily's description. */
export function exampleAccount(over: Partial<Schemas["Account"]> = {}): Schemas["Account"] {
  return {
    id: "700004000000000000000002",
    type: "Personal - Current",
    balance: -12.57,
    currency: "GBP",
    accountType: "CURRENT",
    nickname: "Household",
    accountNames: [{ name: "R. Rastapopoulos" }],
    accountIdentifications: [
      { type: "SORT_CODE", identification: "700001" },
      { type: "ACCOUNT_NUMBER", identification: "70000002" },
    ],
    accountBalances: [typedBalance("EXPECTED", -12.57)],
    ...over,
  };
}

export function typedBalance(
  type: Schemas["AccountBalanceType"],
  amount: number,
  over: Partial<Schemas["AccountBalance"]> = {},
): Schemas["AccountBalance"] {
  return { type, balanceAmount: { amount, currency: "GBP" }, creditLineIncluded: false, ...over };
}

export function exampleTransaction(over: Partial<Schemas["Transaction"]> = {}): Schemas["Transaction"] {
  return {
    id: "49d6e5c6-0130-46e3-884b-1b185432d9e0",
    date: "2026-02-06T17:44:34.589Z",
    bookingDateTime: "2026-02-06T17:44:34.589Z",
    valueDateTime: "2026-02-07T17:44:34.589Z",
    status: "BOOKED",
    amount: -100.23,
    currency: "GBP",
    transactionAmount: { amount: -100.23, currency: "GBP" },
    reference: "0",
    description: "Corner shop",
    transactionInformation: ["Corner shop"],
    enrichment: { transactionHash: { hash: "adad72d7b3069ab9e4a6cb2844e2e3e9.1" } },
    ...over,
  };
}

/** Transactions one minute apart, oldest first. `t-0` is on 1 January 2026. */
export function exampleTransactions(count: number): Schemas["Transaction"][] {
  return Array.from({ length: count }, (_, index) => {
    const instant = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    return exampleTransaction({ id: `t-${index}`, date: instant, bookingDateTime: instant });
  });
}
