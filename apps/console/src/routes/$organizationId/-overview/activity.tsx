import { Anchor, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { BankTransaction, CardTransaction } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { reasonInWords } from "../../../data/card-words.ts";
import { useOrganization } from "../../../data/organization.ts";
import { newestBankTransactionsQuery, newestPurchasesQuery, shownMovements } from "./queries.ts";

interface Movement {
  id: string;
  at: Date;
  name: string;
  source: string;
  amount: number;
  currency: string;
  status: string;
  isDay: boolean;
  /** Why it was declined, in words. */
  reason: string | null;
  /** The card of a purchase. Null for a transaction of a bank account. */
  cardId: string | null;
}

/** What moved last, on accounts and cards. It changes while it is looked at. */
export function Activity() {
  const { organizationId } = useOrganization();
  const bank = useQuery(newestBankTransactionsQuery(organizationId));
  const cards = useQuery(newestPurchasesQuery(organizationId));
  const error = bank.error ?? cards.error;
  const movements = [...(bank.data ?? []).map(ofBank), ...(cards.data ?? []).map(ofCard)]
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, shownMovements);
  return (
    <Card withBorder component="section" aria-label="Newest activity">
      <Title order={2} size="h5" mb="sm">
        Newest activity
      </Title>
      {error !== null ? (
        <Problem error={error} retry={() => Promise.all([bank.refetch(), cards.refetch()])} />
      ) : bank.data === undefined || cards.data === undefined ? (
        <Rows count={4} height={36} />
      ) : movements.length === 0 ? (
        <Text c="dimmed">Nothing yet. Purchases and bank transactions appear here as they happen.</Text>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
          {movements.map((movement) => (
            <Row key={movement.id} {...movement} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function Row(movement: Movement) {
  const { at, isDay, name, source, amount, currency, status, reason } = movement;
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="md">
      <div style={{ minWidth: 0 }}>
        <Anchor
          size="sm"
          c="inherit"
          truncate
          display="block"
          renderRoot={(props) => <Details {...props} movement={movement} />}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          <DateTime at={isDay ? at.toISOString().slice(0, 10) : at} /> · {reason ?? source}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap" flex="none">
        {status !== "POSTED" && status !== "COMPLETED" && <Status status={status} />}
        <Amount size="sm" value={amount} currency={currency} signed={reason === null} />
      </Group>
    </Group>
  );
}

/** Leads to the transaction on its page, where a purchase says why it was declined. */
function Details({ movement: { id, cardId }, ...props }: { movement: Movement }) {
  const { organizationId } = useOrganization();
  return cardId === null ? (
    <Link
      {...props}
      to="/$organizationId/transactions"
      params={{ organizationId }}
      search={{ selected: id }}
    />
  ) : (
    <Link
      {...props}
      to="/$organizationId/cards/$cardId"
      params={{ organizationId, cardId }}
      search={{ purchase: id }}
    />
  );
}

const ofBank = (one: BankTransaction): Movement => ({
  id: one.id,
  at: one.transactionDate,
  isDay: true,
  name: one.merchantName ?? one.description,
  source: one.account.accountName,
  amount: one.type === "DEBIT" ? -Math.abs(one.amount) : Math.abs(one.amount),
  currency: one.currency,
  status: one.status,
  reason: null,
  cardId: null,
});

const ofCard = (one: CardTransaction): Movement => ({
  id: one.id,
  at: one.createdAt,
  isDay: false,
  name: one.merchantName,
  source: "Card",
  // Of what was declined, nothing left.
  amount: one.declineReason === null ? -one.amount : one.amount,
  currency: one.currency,
  status: one.status,
  reason: one.declineReason === null ? null : reasonInWords(one.declineReason).title,
  cardId: one.cardId,
});
