import { type NumberInputProps, Text } from "@mantine/core";
import { decimalsOf } from "@purser/client";
import { formatNumber } from "../data/format.ts";

/**
 * What a field for an amount in major units has: the currency before it, and as many decimals as that has in an empty one.
 * It keeps what a person writes, also too many decimals: with a `decimalScale`, "12.50" yen would become 1,250, and
 * "1.234,56" would become 1.23. `problemOfMoney` refuses these.
 */
export const moneyInput = (currency: string): NumberInputProps => ({
  leftSection: (
    <Text size="xs" c="dimmed">
      {currency}
    </Text>
  ),
  leftSectionWidth: 48,
  leftSectionPointerEvents: "none",
  placeholder: formatNumber(0, decimalsOf(currency)),
  min: 0,
  ...asWritten,
});

/** Keeps a number as it is written when a person leaves the field. */
export const asWritten = { clampBehavior: "none", trimLeadingZeroesOnBlur: false } as const;
