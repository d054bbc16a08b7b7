import { Card, SimpleGrid, Text } from "@mantine/core";
import { Amount } from "../../../components/amount.tsx";
import type { CurrencyTotal } from "./balances.ts";

/** The money in each currency. */
export function Totals({ totals }: { totals: readonly CurrencyTotal[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {totals.map(({ currency, balance, accounts, disconnected }) => (
        <Card key={currency} withBorder>
          <Text c="dimmed" size="sm">
            Balance in {currency}
          </Text>
          <Text fz={28} fw={650}>
            <Amount value={balance} currency={currency} />
          </Text>
          <Text c="dimmed" size="xs">
            {accounts === 1 ? "1 account" : `${accounts} accounts`}
          </Text>
          {disconnected !== null && (
            <Text c="dimmed" size="xs">
              Not counted: <Amount value={disconnected} currency={currency} /> in accounts no longer read
            </Text>
          )}
        </Card>
      ))}
    </SimpleGrid>
  );
}
