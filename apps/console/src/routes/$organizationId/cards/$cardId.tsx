import { Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { CardListItem } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Link, createFileRoute } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { CardActions } from "./-card-actions.tsx";
import { CardLimit, cardName } from "./-card-parts.tsx";
import { CardPurchases } from "./-card-purchases.tsx";
import { CardSpendingPlot } from "./-card-spending-plot.tsx";
import { PurchaseDrawer } from "./-purchase-drawer.tsx";

export const Route = createFileRoute("/$organizationId/cards/$cardId")({
  validateSearch: ({ purchase }: Record<string, unknown>): { purchase?: string } =>
    typeof purchase === "string" && purchase !== "" ? { purchase } : {},
  component: CardPage,
});

function CardPage() {
  const { cardId } = Route.useParams();
  const { purchase } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { organizationId } = useOrganization();
  // The list has what `cards.get` has not: the currency, the holder and what is left of the limit.
  const cards = useQuery(queries.cards.list.queryOptions({ organizationId }));
  const card = cards.data?.find(({ id }) => id === cardId);
  if (cards.isPending)
    return (
      <Page title="Card">
        <Rows />
      </Page>
    );
  if (cards.isError)
    return (
      <Page title="Card">
        <Problem error={cards.error} retry={cards.refetch} />
      </Page>
    );
  if (card === undefined)
    return (
      <Page title="Card">
        <Empty title="There is no such card">
          <Link to="/$organizationId/cards" params={{ organizationId }}>
            See all cards
          </Link>
        </Empty>
      </Page>
    );
  return (
    <Page
      title={cardName(card)}
      description={
        <Group gap="xs">
          <Status status={card.status} />
          <span>
            •••• {card.lastFour}, valid until {String(card.expiryMonth).padStart(2, "0")}/{card.expiryYear}
          </span>
        </Group>
      }
      actions={<CardActions card={card} />}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Facts card={card} />
        <Card withBorder>
          <Title order={2} size="h4" mb="sm">
            Spending by month
          </Title>
          <CardSpendingPlot card={card} />
        </Card>
      </SimpleGrid>
      <CardPurchases
        card={card}
        onOpen={({ id }) => void navigate({ search: { purchase: id } })}
        selected={purchase}
      />
      <PurchaseDrawer card={card} transactionId={purchase} onClose={() => void navigate({ search: {} })} />
    </Page>
  );
}

function Facts({ card }: { card: CardListItem }) {
  const { organizationId, isOwner } = useOrganization();
  const policy = (
    <Link
      to="/$organizationId/policies/$policyId"
      params={{ organizationId, policyId: card.policy.id }}
      style={{ color: "var(--mantine-color-anchor)" }}
    >
      {card.policy.name}
    </Link>
  );
  const facts = [
    ["Holder", card.assignedTo.name ?? card.assignedTo.email],
    ["Policy", isOwner ? policy : card.policy.name],
    ["Purpose", inWords(card.purpose)],
    ["Currency", card.currency],
  ] as const;
  return (
    <Card withBorder component="section" aria-label="About the card">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4" mb="xs">
            Limit
          </Title>
          <CardLimit card={card} isExact />
        </div>
        <Stack gap="xs" component="dl" m={0}>
          {facts.map(([term, value]) => (
            <Group key={term} justify="space-between" wrap="nowrap">
              <Text component="dt" c="dimmed" size="sm">
                {term}
              </Text>
              <Text component="dd" m={0} size="sm" ta="right">
                {value}
              </Text>
            </Group>
          ))}
        </Stack>
      </Stack>
    </Card>
  );
}
