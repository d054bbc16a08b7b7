import { Button, Stack, Text } from "@mantine/core";
import type { CardListItem, CardPolicyListItem } from "@purser/client";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, createFileRoute, linkOptions } from "@tanstack/react-router";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { usePolicyCurrencies } from "../../../data/card-currency.ts";
import { limitInWords } from "../../../data/card-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { lastDigits } from "../../../data/format.ts";
import { allCards, allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { restrictionsOf } from "./-policy-draft.ts";

export const Route = createFileRoute("/$organizationId/policies/")({ component: Policies });

/** A policy with the cards that follow it. */
interface PolicyRow extends CardPolicyListItem {
  cards: readonly CardListItem[];
}

function Policies() {
  const { organizationId, can } = useOrganization();
  const policies = useQuery(allPolicies(organizationId));
  const cards = useQuery(allCards(organizationId));
  const failed = failedQuery(policies, cards);
  const open = cards.data?.filter(({ status }) => status !== "CLOSED") ?? [];
  const rows = policies.data?.map((policy): PolicyRow => {
    return { ...policy, cards: open.filter((card) => card.policy.id === policy.id) };
  });
  const create = can("cards.policies.create") && (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => (
        <Link {...props} to="/$organizationId/policies/new" params={{ organizationId }} />
      )}
    >
      New policy
    </Button>
  );
  return (
    <Page
      title="Policies"
      description="What each card may pay for. A change counts from the next purchase on."
      actions={create}
    >
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : rows === undefined || cards.data === undefined ? (
        <Rows />
      ) : rows.length === 0 ? (
        <Empty title="Write your first policy" action={create}>
          Limit what cards spend, where, and on which days. You see at once which past purchases it would have
          declined.
        </Empty>
      ) : (
        <DataTable
          label="Policies"
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          rowHeight={64}
          {...(can("cards.policies.update") && {
            link: ({ id }: PolicyRow) =>
              linkOptions({
                to: "/$organizationId/policies/$policyId",
                params: { organizationId, policyId: id },
              }),
          })}
        />
      )}
    </Page>
  );
}

const columns: Column<PolicyRow>[] = [
  {
    header: "Policy",
    width: "minmax(0, 1.6fr)",
    cell: ({ name, description }) => (
      <div style={{ minWidth: 0 }}>
        <Text fw={550} truncate>
          {name}
        </Text>
        {description !== null && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        )}
      </div>
    ),
  },
  { header: "Limits", cell: (policy) => <Limits policy={policy} /> },
  {
    header: "Restricts",
    cell: (policy) => (
      <Text size="sm" truncate c={restrictionsOf(policy).length === 0 ? "dimmed" : ""}>
        {restrictionsOf(policy).join(", ") || "Nothing else"}
      </Text>
    ),
  },
  { header: "Used by", cell: (policy) => <UsedBy policy={policy} /> },
];

function Limits({ policy: { id, limits } }: { policy: PolicyRow }) {
  const { currencies, failed } = usePolicyCurrencies(id);
  if (limits.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No limit
      </Text>
    );
  if (failed !== undefined) return <Text size="sm">It could not be read</Text>;
  if (currencies === undefined) return null;
  const { currency } = currencies;
  return (
    <Text size="sm" lineClamp={2}>
      {limits.map(({ amount, interval }) => limitInWords(amount, interval, currency)).join(", ")}
    </Text>
  );
}

function UsedBy({ policy: { cardCount, cards } }: { policy: PolicyRow }) {
  const names = cards.map(({ nickname, lastFour }) => nickname ?? lastDigits(lastFour));
  return (
    <Stack gap={0} miw={0}>
      <Text size="sm">{cardCount === 1 ? "1 card" : `${cardCount} cards`}</Text>
      {names.length > 0 && (
        <Text size="xs" c="dimmed" truncate>
          {names.join(", ")}
        </Text>
      )}
    </Stack>
  );
}
