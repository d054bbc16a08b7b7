import { Card, SimpleGrid, Text } from "@mantine/core";
import type { BankAccount } from "@purser/client";
import { Amount } from "../../../components/amount.tsx";

interface Total {
  currency: string;
  balance: number;
  accounts: number;
}

/** The money in each currency. */
export function Totals({ totals }: { totals: readonly Total[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {totals.map(({ currency, balance, accounts }) => (
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
        </Card>
      ))}
    </SimpleGrid>
  );
}

/** Adds up the balances by currency. That of the most accounts comes first. */
export function totalsOf(accounts: readonly BankAccount[]): Total[] {
  const currencies = Map.groupBy(accounts, ({ currency }) => currency);
  return [...currencies]
    .map(([currency, own]) => ({
      currency,
      balance: own.reduce((sum, { balance }) => sum + balance, 0),
      accounts: own.length,
    }))
    .toSorted((a, b) => b.accounts - a.accounts || a.currency.localeCompare(b.currency));
}
