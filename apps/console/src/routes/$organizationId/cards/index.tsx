import { Alert, Avatar, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import type { CardListItem } from "@purser/client";
import { IconBuildingStore, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, createFileRoute, linkOptions } from "@tanstack/react-router";
import { type Column, DataTable } from "../../../components/data-table.tsx";
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
import { queries } from "../../../data/purser.ts";
import { CardLimit, cardName } from "./-card-parts.tsx";
import { Declined } from "./-declined.tsx";
import { SpendingOverview } from "./-spending-overview.tsx";

const shown = ["open", "closed"] as const;

export const Route = createFileRoute("/$organizationId/cards/")({
  validateSearch: ({ show }: Record<string, unknown>): { show?: "closed" } =>
    show === "closed" ? { show } : {},
  component: Cards,
});

function Cards() {
  const { organizationId, can } = useOrganization();
  const { show = "open" } = Route.useSearch();
  const navigate = Route.useNavigate();
  const cards = useQuery(allCards(organizationId));
  const failed = failedQuery(cards);
  const rows = cards.data?.filter(({ status }) => (status === "CLOSED") === (show === "closed")) ?? [];
  return (
    <Page
      title="Cards"
      description="Each card has a holder, and a policy that decides its purchases."
      actions={can("cards.create") && <CreateButtons organizationId={organizationId} />}
    >
      <MissingDetails />
      <SegmentedControl
        aria-label="Which cards"
        data={shown.map((value) => ({ value, label: value === "open" ? "Open" : "Closed" }))}
        value={show}
        onChange={(value) => void navigate({ search: value === "closed" ? { show: "closed" } : {} })}
        style={{ alignSelf: "flex-start" }}
      />
      {cards.isPending ? (
        <Rows />
      ) : failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : rows.length === 0 ? (
        <NoCards show={show} canCreate={can("cards.create")} organizationId={organizationId} />
      ) : (
        <DataTable
          label="Cards"
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          card={(card) => <PhoneCard card={card} />}
          link={({ id }) =>
            linkOptions({ to: "/$organizationId/cards/$cardId", params: { organizationId, cardId: id } })
          }
          rowHeight={64}
        />
      )}
      <Declined cards={cards.data ?? []} />
      <SpendingOverview />
    </Page>
  );
}

/** A card issuer may require details of a cardholder before it issues a card to them. */
function MissingDetails() {
  const { organizationId } = useOrganization();
  const { data } = useQuery(queries.cards.cardholder.get.queryOptions({ organizationId }));
  if (data === undefined || data.missing.length === 0) return null;
  return (
    <Alert color="orange" title="The card issuer needs more about you">
      <TextLink size="sm" underline="always" to="/$organizationId/cards/details" params={{ organizationId }}>
        Enter your details
      </TextLink>
    </Alert>
  );
}

function CreateButtons({ organizationId }: { organizationId: string }) {
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBuildingStore size={16} />}
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$organizationId/cards/new"
            params={{ organizationId }}
            search={{ rules: "shop" }}
          />
        )}
      >
        Card for one shop
      </Button>
      <Button
        leftSection={<IconPlus size={16} />}
        renderRoot={(props) => (
          <Link {...props} to="/$organizationId/cards/new" params={{ organizationId }} />
        )}
      >
        New card
      </Button>
    </>
  );
}

function NoCards({
  show,
  canCreate,
  organizationId,
}: {
  show: string;
  canCreate: boolean;
  organizationId: string;
}) {
  if (show === "closed")
    return <Empty title="No closed cards">Cards that are closed for good are kept here.</Empty>;
  if (!canCreate)
    return <Empty title="You have no card">Ask an owner of the organization to issue one to you.</Empty>;
  return (
    <Empty
      title="Issue your first card"
      action={
        <Group justify="center" mt="sm">
          <CreateButtons organizationId={organizationId} />
        </Group>
      }
    >
      Give a member a card with limits, or one that works at a single shop. Every purchase is decided by its
      policy.
    </Empty>
  );
}

const columns: Column<CardListItem>[] = [
  {
    header: "Card",
    width: "minmax(0, 1.3fr)",
    cell: (card) => (
      <div>
        <Text fw={550} truncate>
          {cardName(card)}
        </Text>
        <Text size="xs" c="dimmed">
          {lastDigits(card.lastFour)}
        </Text>
      </div>
    ),
  },
  { header: "Holder", cell: (card) => <Holder card={card} /> },
  { header: "Policy", cell: ({ policy }) => <Text truncate>{policy.name}</Text> },
  { header: "Limit", width: "minmax(0, 1.5fr)", cell: (card) => <CardLimit card={card} /> },
  { header: "Status", width: "110px", cell: ({ status }) => <Status status={status} /> },
];

function Holder({ card: { assignedTo } }: { card: CardListItem }) {
  const name = assignedTo.name ?? assignedTo.email;
  return (
    <Group gap="xs" wrap="nowrap">
      <Avatar src={assignedTo.avatarUrl} alt="" name={name} size="sm" />
      <Text truncate>{name}</Text>
    </Group>
  );
}

function PhoneCard({ card }: { card: CardListItem }) {
  return (
    <Stack gap={6} py={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={550} truncate>
          {cardName(card)}
        </Text>
        <Status status={card.status} />
      </Group>
      <Text size="sm" c="dimmed" truncate>
        {lastDigits(card.lastFour)} · {card.assignedTo.name ?? card.assignedTo.email} · {card.policy.name}
      </Text>
      <CardLimit card={card} />
    </Stack>
  );
}
