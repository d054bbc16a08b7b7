import { Card, Group, Stack, Text, Title } from "@mantine/core";
import type { BankTransaction, CardListItem, CardTransaction } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { TextLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { RowLink } from "../../../components/row-link.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { reasonInWords } from "../../../data/card-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { allCards } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { cardAndHolder } from "../cards/-card-parts.tsx";
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
  const failed = failedQuery(bank, cards);
  // The page has read them for what needs attention. Without them, a purchase does not name its card.
  const all = useQuery(allCards(organizationId));
  const purchases = (cards.data ?? []).map((one) =>
    ofCard(
      one,
      all.data?.find(({ id }) => id === one.cardId),
    ),
  );
  const movements = [...(bank.data ?? []).map(ofBank), ...purchases]
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, shownMovements);
  return (
    <Card withBorder component="section" aria-label="Newest activity">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Newest activity
        </Title>
        <Group gap="md">
          <TextLink size="sm" to="/$organizationId/transactions" params={{ organizationId }}>
            Bank transactions
          </TextLink>
          {purchases.length > 0 && (
            <TextLink size="sm" to="/$organizationId/cards/declined" params={{ organizationId }}>
              Declined purchases
            </TextLink>
          )}
        </Group>
      </Group>
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : bank.data === undefined || cards.data === undefined ? (
        <Rows count={4} height={36} />
      ) : movements.length === 0 ? (
        <Text c="dimmed">Nothing yet. Purchases and bank transactions appear here as they happen.</Text>
      ) : (
        <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: "none" }}>
          {movements.map((movement) => (
            <li key={movement.id}>
              <Row {...movement} />
            </li>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function Row(movement: Movement) {
  const { at, isDay, name, source, amount, currency, status, reason } = movement;
  return (
    <Details movement={movement}>
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Text size="sm" truncate>
            {name}
          </Text>
          {status !== "POSTED" && status !== "COMPLETED" && <Status status={status} />}
        </Group>
        <Amount
          size="sm"
          value={amount}
          currency={currency}
          signed
          // Of what was declined, nothing left.
          {...(reason !== null && { c: "dimmed", td: "line-through" })}
        />
      </Group>
      <Text size="xs" c="dimmed">
        <DateTime at={isDay ? at.toISOString().slice(0, 10) : at} /> ·{" "}
        {reason === null ? source : `${source} · ${reason}`}
      </Text>
    </Details>
  );
}

/** Leads to the transaction on its page, where a purchase says why it was declined. */
function Details({ movement: { id, cardId }, children }: { movement: Movement; children: ReactNode }) {
  const { organizationId } = useOrganization();
  return cardId === null ? (
    <RowLink to="/$organizationId/transactions" params={{ organizationId }} search={{ selected: id }}>
      {children}
    </RowLink>
  ) : (
    <RowLink
      to="/$organizationId/cards/$cardId"
      params={{ organizationId, cardId }}
      search={{ purchase: id }}
    >
      {children}
    </RowLink>
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

const ofCard = (one: CardTransaction, card: CardListItem | undefined): Movement => ({
  id: one.id,
  at: one.createdAt,
  isDay: false,
  name: one.merchantName,
  source: card === undefined ? "Card" : cardAndHolder(card),
  amount: -one.amount,
  currency: one.currency,
  status: one.status,
  reason: one.declineReason === null ? null : reasonInWords(one.declineReason).title,
  cardId: one.cardId,
});
