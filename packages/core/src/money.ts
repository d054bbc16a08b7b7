/** The decimals of the currencies that do not have two (ISO 4217). */
export const currencyExponents: Readonly<Record<string, number>> = {
  ...exponentOf(0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
  ...exponentOf(3, "BHD IQD JOD KWD LYD OMR TND"),
  ...exponentOf(4, "CLF UYW"),
};

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** Whether a text is a currency code: ISO 4217, upper case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/**
 * Returns the decimals of a currency (ISO 4217): 10^exponent minor units are one major unit.
 *
 * @example
 * currencyExponent("JPY"); // 0
 */
export function currencyExponent(currency: string): number {
  return currencyExponents[currency] ?? 2;
}

/** The amount is not a decimal number, or beyond ±(2^53−1) minor units. */
export class AmountError extends Error {
  override readonly name = "AmountError";
}

/**
 * Converts a decimal amount, such as "-12.345" or "1e3", to whole minor units of its currency, without floating-point
 * arithmetic. Rounds half to even. Throws {@link AmountError}.
 *
 * @example
 * minorUnits("12.34", "EUR"); // 1234
 */
export function minorUnits(decimal: string, currency: string): number {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(decimal.trim());
  if (match === null) throw new AmountError("It is not a decimal amount");
  const [, sign, whole = "", fraction = "", power = "0"] = match;
  const shift = currencyExponent(currency) + Number(power) - fraction.length;
  const magnitude = scaled(BigInt(whole + fraction), shift);
  if (magnitude > BigInt(Number.MAX_SAFE_INTEGER)) throw new AmountError("It is beyond the range of amounts");
  return sign === "-" && magnitude !== 0n ? -Number(magnitude) : Number(magnitude);
}

function scaled(digits: bigint, shift: number): bigint {
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const quotient = digits / divisor;
  const twiceTheRest = (digits % divisor) * 2n;
  if (twiceTheRest === divisor) return quotient + (quotient % 2n);
  return twiceTheRest > divisor ? quotient + 1n : quotient;
}

function exponentOf(exponent: number, codes: string): Record<string, number> {
  return Object.fromEntries(codes.split(" ").map((code) => [code, exponent]));
}
