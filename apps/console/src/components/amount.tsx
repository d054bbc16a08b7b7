import { Text, type TextProps } from "@mantine/core";
import { formatMoney } from "../data/format.ts";

/** An amount in minor units, such as cents, in the decimals of its currency. Digits of equal width line up in columns. */
export function Amount({
  value,
  currency,
  signed = false,
  ...text
}: TextProps & {
  value: number;
  currency: string;
  /** Writes a plus before what comes in, in the color of gains. */
  signed?: boolean;
}) {
  const isGain = signed && value > 0;
  return (
    <Text
      span
      inherit={text.size === undefined}
      style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}
      {...(isGain && { c: "var(--good)" })}
      {...text}
    >
      {formatMoney(value, currency, isGain ? { signDisplay: "always" } : {})}
    </Text>
  );
}
