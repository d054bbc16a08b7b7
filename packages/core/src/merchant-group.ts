/** The kinds of business, each with the first code of its range. Ranges follow ISO 18245 as the card networks use it. */
const firstCodes = {
  agriculture: "0000",
  contracted_services: "1500",
  transport: "3000",
  utilities: "4800",
  retail: "5000",
  clothing: "5600",
  stores: "5700",
  financial_services: "6000",
  personal_services: "7000",
  business_services: "7300",
  repairs: "7530",
  entertainment: "7800",
  professional_services: "8000",
  government: "9000",
} as const;

type MerchantGroup = keyof typeof firstCodes;

export const merchantGroups = Object.keys(firstCodes) as [MerchantGroup, ...MerchantGroup[]];

/** The kind of business of a merchant category code. All codes have four digits, so they compare as texts. */
export function merchantGroupOf(code: string): MerchantGroup {
  return merchantGroups.findLast((group) => firstCodes[group] <= code)!;
}
