import { Card, Group, SimpleGrid, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/links.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { lastDigits } from "../../../data/format.ts";
import { allCards } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { CardActions } from "./-card-actions.tsx";
import { CardFacts } from "./-card-facts.tsx";
import { cardName } from "./-card-parts.tsx";
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
  const cards = useQuery(allCards(organizationId));
  const card = cards.data?.find(({ id }) => id === cardId);
  const failed = failedQuery(cards);
  if (cards.isPending)
    return (
      <Page title="Card">
        <Rows />
      </Page>
    );
  if (failed !== undefined)
    return (
      <Page title="Card">
        <Problem error={failed.error} retry={failed.refetch} />
      </Page>
    );
  if (card === undefined)
    return (
      <Page title="Card">
        <Empty title="There is no such card">
          <TextLink inherit underline="always" to="/$organizationId/cards" params={{ organizationId }}>
            See all cards
          </TextLink>
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
            {lastDigits(card.lastFour)}, expires {String(card.expiryMonth).padStart(2, "0")}/{card.expiryYear}
          </span>
        </Group>
      }
      actions={<CardActions card={card} />}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CardFacts card={card} />
        <Card withBorder>
          <Title order={2} size="h4" mb="sm">
            Spending by month
          </Title>
          <CardSpendingPlot card={card} />
        </Card>
      </SimpleGrid>
      <CardPurchases
        card={card}
        onOpen={({ id }) => void navigate({ search: { purchase: id }, resetScroll: false })}
        selected={purchase}
      />
      <PurchaseDrawer
        card={card}
        transactionId={purchase}
        onClose={() => void navigate({ search: {}, replace: true, resetScroll: false })}
      />
    </Page>
  );
}
