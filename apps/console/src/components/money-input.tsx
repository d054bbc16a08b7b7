import { type NumberInputProps, Text } from "@mantine/core";
import { decimalsOf } from "@purser/client";

/** What a field for an amount in major units has: the currency before it, also while it is empty, and its decimals. */
export const moneyInput = (currency: string): NumberInputProps => ({
  leftSection: (
    <Text size="xs" c="dimmed">
      {currency}
    </Text>
  ),
  leftSectionWidth: 48,
  leftSectionPointerEvents: "none",
  min: 0,
  decimalScale: decimalsOf(currency || "EUR"),
});
