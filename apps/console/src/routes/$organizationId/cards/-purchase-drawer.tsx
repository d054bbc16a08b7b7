import { Alert, Button, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import type { CardListItem, CardTransaction, RecordedCardDecision } from "@purser/client";
import { IconArrowRight, IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Meter } from "../../../components/meter.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { limitSentence, reasonInWords } from "../../../data/card-words.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
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
      {transactionId !== undefined && <Purchase card={card} transactionId={transactionId} />}
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
  // The list has no filter by id. The newest transactions of the card are those that people open.
  const list = useQuery(
    queries.cards.transactions.list.queryOptions({ organizationId, cardId: card.id, limit: 1000 }),
  );
  const failed = [decision, events, list].find(({ isError }) => isError);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (decision.data === undefined || events.data === undefined || list.data === undefined) return <Rows />;
  const transaction = list.data.find(({ id }) => id === transactionId);
  const reason = transaction?.declineReason ?? decision.data.reason;
  return (
    <Stack gap="lg">
      {transaction !== undefined && <Heading transaction={transaction} />}
      {reason !== null && <Decline card={card} reason={reason} decision={decision.data} />}
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

function Decline({
  card,
  reason,
  decision,
}: {
  card: CardListItem;
  reason: string;
  decision: RecordedCardDecision;
}) {
  const { organizationId, isOwner, timeZone } = useOrganization();
  const { title, advice, field } = reasonInWords(reason);
  const sentence = limitSentence(decision, card.currency, timeZone);
  const { used, limit } = decision;
  return (
    <Alert color="red" variant="light" title={title} icon={<IconInfoCircle />}>
      <Stack gap="sm">
        {sentence !== null && (
          <div>
            <Text size="sm" mb={6}>
              {sentence}
            </Text>
            {used !== null && limit !== null && decision.interval !== "PER_TRANSACTION" && (
              <Meter
                used={used}
                limit={limit}
                currency={card.currency}
                label="Used of the limit before this purchase"
              />
            )}
          </div>
        )}
        <Text size="sm">{advice}</Text>
        {field !== undefined &&
          (isOwner ? (
            <Button
              size="xs"
              style={{ alignSelf: "flex-start" }}
              rightSection={<IconArrowRight size={14} />}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/$organizationId/policies/$policyId"
                  params={{ organizationId, policyId: card.policy.id }}
                  search={{ field }}
                />
              )}
            >
              Change “{card.policy.name}”
            </Button>
          ) : (
            <Text size="sm">Ask an owner to change the policy “{card.policy.name}”.</Text>
          ))}
      </Stack>
    </Alert>
  );
}
