import { SimpleGrid, Stack } from "@mantine/core";
import { isRefused } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Empty } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { allCards } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { BuyForm } from "./-buy-form.tsx";
import { PurchaseForm } from "./-purchase-form.tsx";

export function Purchases() {
  const { organizationId } = useOrganization();
  const cards = useQuery(allCards(organizationId));
  const transactions = useQuery(queries.cards.transactions.list.queryOptions({ organizationId, limit: 50 }));
  const failed = failedQuery(cards, transactions);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (cards.data === undefined || transactions.data === undefined) return <Rows />;
  if (cards.data.length === 0)
    return (
      <Empty title="Issue a card first">
        <TextLink inherit underline="always" to="/$organizationId/cards/new" params={{ organizationId }}>
          New card
        </TextLink>
      </Empty>
    );
  // A purchase that was refused goes no further. A hold that has ended may still hear from its merchant.
  const purchases = transactions.data.filter(
    (transaction) => transaction.amount >= 0 && !isRefused(transaction),
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: "start" }}>
      <BuyForm cards={cards.data} />
      <Stack>
        <PurchaseForm purchases={purchases} />
      </Stack>
    </SimpleGrid>
  );
}
