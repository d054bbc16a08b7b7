import { Drawer, Group, Stack, Text, Title } from "@mantine/core";
import type { CardListItem, CardTransaction, ExplainedCardDecision } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { Decline } from "./-purchase-decline.tsx";
import { PurchaseTimeline } from "./-purchase-timeline.tsx";

/** One purchase: why it was decided so, how to let it pass, and what happened since. */
export function PurchaseDrawer({
  card,
  transactionId,
  onClose,
}: {
  card: CardListItem;
  transactionId: string | undefined;
  onClose: () => void;
}) {
  return (
    <Drawer
      opened={transactionId !== undefined}
      onClose={onClose}
      position="right"
      size="md"
      title="Purchase"
      // A dialog is no landmark, so its header would count as the page's banner.
      attributes={{ header: { role: "presentation" } }}
      closeButtonProps={{ "aria-label": "Close the purchase" }}
    >
      {transactionId !== undefined && (
        <Purchase key={transactionId} card={card} transactionId={transactionId} />
      )}
    </Drawer>
  );
}

function Purchase({ card, transactionId }: { card: CardListItem; transactionId: string }) {
  const { organizationId } = useOrganization();
  const decision = useQuery(
    queries.cards.transactions.explain.queryOptions({ organizationId, transactionId }),
  );
  const events = useQuery(
    queries.events.list.queryOptions({ organizationId, subject: transactionId, limit: 100 }),
  );
  const failed = failedQuery(decision, events);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (decision.data === undefined || events.data === undefined) return <Rows />;
  // A process of the release before explains without it, while the service is updated.
  const { transaction }: Partial<Pick<ExplainedCardDecision, "transaction">> = decision.data;
  const reason = transaction?.declineReason ?? decision.data.reason;
  return (
    <Stack gap="lg">
      {transaction !== undefined && <Heading transaction={transaction} />}
      {transaction !== undefined && reason !== null && (
        <Decline card={card} transaction={transaction} reason={reason} decision={decision.data} />
      )}
      <PurchaseTimeline decision={decision.data} events={events.data} currency={card.currency} />
    </Stack>
  );
}

function Heading({ transaction }: { transaction: CardTransaction }) {
  const categoryInWords = useCategoryWords();
  const { merchantName, merchantCategory, amount, currency, status, createdAt, description } = transaction;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={3} size="h4">
          {merchantName}
        </Title>
        <Status status={status} />
      </Group>
      <Text fz={28} fw={650}>
        <Amount value={amount} currency={currency} />
      </Text>
      <Text size="sm" c="dimmed">
        <DateTime at={createdAt} /> · {categoryInWords(merchantCategory)}
      </Text>
      {description !== null && <Text size="sm">{description}</Text>}
    </div>
  );
}
