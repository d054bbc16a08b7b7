import { Card, Group, Stack, Text, Title } from "@mantine/core";
import { type CardListItem, type CardTransaction, isRefused } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { TextLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { RowLink } from "../../../components/row-link.tsx";
import { reasonInWords } from "../../../data/card-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { cardAndHolder } from "./-card-parts.tsx";

const shown = 5;
/** Holds that ended are among them, and are not shown. */
const read = 50;

/** The newest purchases that were declined, each with its reason and a way to what lets it pass. */
export function Declined({ cards }: { cards: readonly CardListItem[] }) {
  const { organizationId } = useOrganization();
  const declined = useQuery(
    queries.cards.transactions.list.queryOptions({ organizationId, status: "DECLINED", limit: read }),
  );
  const failed = failedQuery(declined);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  const purchases = (declined.data ?? []).filter(isRefused).slice(0, shown);
  if (purchases.length === 0) return null;
  return (
    <Card withBorder component="section" aria-label="Declined purchases">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Declined purchases
        </Title>
        <TextLink size="sm" to="/$organizationId/cards/declined" params={{ organizationId }}>
          All declined purchases
        </TextLink>
      </Group>
      <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: "none" }}>
        {purchases.map((purchase) => (
          <li key={purchase.id}>
            <DeclinedRow purchase={purchase} card={cards.find(({ id }) => id === purchase.cardId)} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function DeclinedRow({ purchase, card }: { purchase: CardTransaction; card: CardListItem | undefined }) {
  const { organizationId } = useOrganization();
  const { id, cardId, merchantName, declineReason, amount, currency, createdAt } = purchase;
  return (
    <RowLink
      to="/$organizationId/cards/$cardId"
      params={{ organizationId, cardId }}
      search={{ purchase: id }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={550} truncate>
            {merchantName}
          </Text>
          {card !== undefined && (
            <Text size="xs" truncate>
              {cardAndHolder(card)}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {declineReason !== null && `${reasonInWords(declineReason).title} · `}
            <DateTime at={createdAt} />
          </Text>
        </div>
        <Amount size="sm" value={amount} currency={currency} />
      </Group>
    </RowLink>
  );
}
