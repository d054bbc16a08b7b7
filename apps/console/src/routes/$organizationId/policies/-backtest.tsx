import { Box, Group, Loader, Progress, Select, Stack, Text, Title } from "@mantine/core";
import type { CardListItem, CardPolicyBacktest, CardPolicyDraft } from "@purser/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { reasonInWords } from "../../../data/card-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatMoney } from "../../../data/format.ts";
import { allCards } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { addDays, zonedDay, zonedDayStart } from "../../../data/zoned-day.ts";
import { cardLabel } from "../cards/-card-parts.tsx";
import { useSettledRules } from "./-settled-rules.ts";

const days = 90;

/** Whose purchases are replayed: those of the cards that follow the policy, of all cards, or of one. */
const cardsOfPolicy = "policy";
const anyCard = "all";

/** What a draft would have declined. While the next answer is on its way, the last one stays. */
export function Backtest({ draft, policyId }: { draft: CardPolicyDraft; policyId: string | undefined }) {
  const { organizationId } = useOrganization();
  const [chosen, setChosen] = useState<string | null>(null);
  const cards = useQuery(allCards(organizationId));
  const open = cards.data?.filter(({ status }) => status !== "CLOSED") ?? [];
  const followers = open.filter(({ policy }) => policy.id === policyId);
  const scope = chosen ?? (followers.length > 0 ? cardsOfPolicy : anyCard);
  const backtest = useBacktest(draft, {
    ...(scope === cardsOfPolicy && policyId !== undefined && { cardsOfPolicyId: policyId }),
    ...(scope !== cardsOfPolicy && scope !== anyCard && { cardId: scope }),
    isReady: cards.data !== undefined,
  });
  const failed = failedQuery(backtest);
  return (
    <Stack component="section" aria-label="What this policy would have declined" aria-live="polite">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4">
          If this policy had applied in the last {days} days
        </Title>
        {backtest.isFetching && <Loader size="xs" aria-label="Trying the policy" />}
      </Group>
      <Select
        label="Purchases of"
        size="xs"
        allowDeselect={false}
        searchable
        data={[
          ...(followers.length === 0
            ? []
            : [{ value: cardsOfPolicy, label: `Cards with this policy (${followers.length})` }]),
          { value: anyCard, label: "All cards" },
          ...open.map((card) => ({ value: card.id, label: cardLabel(card) })),
        ]}
        value={scope}
        onChange={setChosen}
      />
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : backtest.data === undefined ? (
        <Rows count={4} height={36} />
      ) : (
        <Outcome outcome={backtest.data} isOld={backtest.isPlaceholderData} cards={cards.data ?? []} />
      )}
    </Stack>
  );
}

interface Scope {
  cardsOfPolicyId?: string;
  cardId?: string;
  isReady: boolean;
}

/** Replays the purchases of these cards under a draft. */
function useBacktest(draft: CardPolicyDraft, { isReady, ...cards }: Scope) {
  const { organizationId, timeZone } = useOrganization();
  const from = useMemo(
    () => zonedDayStart(addDays(zonedDay(new Date(), timeZone), -days), timeZone),
    [timeZone],
  );
  const input = { organizationId, policy: useSettledRules(draft).rules, from, ...cards };
  return useQuery({
    ...queries.cards.policies.backtest.queryOptions(input),
    placeholderData: keepPreviousData,
    enabled: isReady,
  });
}

function Outcome({
  outcome,
  isOld,
  cards,
}: {
  outcome: CardPolicyBacktest;
  isOld: boolean;
  cards: readonly CardListItem[];
}) {
  const { evaluated, declined, amountsDeclined, reasons, samples } = outcome;
  if (evaluated === 0)
    return <Text c="dimmed">No purchase was approved in this time, so there is nothing to try.</Text>;
  const sums = amountsDeclined.map(({ amount, currency }) => formatMoney(amount, currency)).join(" and ");
  return (
    <Stack style={{ opacity: isOld ? 0.6 : 1 }}>
      <div>
        <Text fz={26} fw={650}>
          {declined === 0 ? "None" : declined} of {evaluated} declined
        </Text>
        <Text size="sm" c="dimmed">
          {declined === 0
            ? "Every approved purchase would still pass."
            : `Approved purchases that this policy would have declined: ${sums}.`}
        </Text>
        <Progress.Root size="lg" mt="xs" aria-hidden>
          <Progress.Section value={(declined / evaluated) * 100} color="var(--danger)" />
          <Progress.Section value={((evaluated - declined) / evaluated) * 100} color="var(--plot-first)" />
        </Progress.Root>
      </div>
      {reasons.length > 0 && <Reasons outcome={outcome} />}
      {samples.length > 0 && (
        <div>
          <Title order={3} size="h6" mb={4}>
            {declined > samples.length
              ? `The newest ${samples.length} that would have been declined`
              : "Purchases that would have been declined"}
          </Title>
          <Box mah={320} tabIndex={0} role="group" aria-label="Purchases" style={{ overflowY: "auto" }}>
            <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: "none" }}>
              {samples.map(({ id, cardId, merchantName, amount, currency, createdAt }) => (
                <Group component="li" key={id} justify="space-between" wrap="nowrap" gap="xs">
                  <div style={{ minWidth: 0 }}>
                    <Text size="sm" truncate>
                      {merchantName}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {cards.filter((card) => card.id === cardId).map((card) => `${cardLabel(card)} · `)}
                      <DateTime at={createdAt} />
                    </Text>
                  </div>
                  <Text size="sm">
                    <Amount value={amount} currency={currency} />
                  </Text>
                </Group>
              ))}
            </Stack>
          </Box>
        </div>
      )}
    </Stack>
  );
}

/** How many purchases each reason declines. */
function Reasons({ outcome: { reasons, declined } }: { outcome: CardPolicyBacktest }) {
  return (
    <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: "none" }} aria-label="Reasons">
      {reasons.map(({ reason, count, amounts }) => (
        <li key={reason}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm">
              {reasonInWords(reason).title}: {count}
            </Text>
            <Text size="sm" c="dimmed">
              {amounts.map(({ amount, currency }) => formatMoney(amount, currency)).join(", ")}
            </Text>
          </Group>
          <Progress value={(count / declined) * 100} color="var(--danger)" size="sm" aria-hidden />
        </li>
      ))}
    </Stack>
  );
}
