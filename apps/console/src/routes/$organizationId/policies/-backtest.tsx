import { Box, Group, Loader, Progress, Select, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { CardPolicyBacktest, CardPolicyDraft } from "@purser/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { reasonInWords } from "../../../data/card-words.ts";
import { formatMoney } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { addDays, zonedDay, zonedDayStart } from "../../../data/zoned-day.ts";

const days = 90;
/** How long nobody types before the draft is tried. */
const pauseMs = 350;

/** What a draft would have declined. While the next answer is on its way, the last one stays. */
export function Backtest({ draft }: { draft: CardPolicyDraft }) {
  const { organizationId, timeZone } = useOrganization();
  const [cardId, setCardId] = useState<string | null>(null);
  const cards = useQuery(queries.cards.list.queryOptions({ organizationId }));
  const from = useMemo(
    () => zonedDayStart(addDays(zonedDay(new Date(), timeZone), -days), timeZone),
    [timeZone],
  );
  // Names decide nothing, so to type one asks nothing.
  const { name: _name, description: _description, ...rules } = draft;
  const [policy] = useDebouncedValue(JSON.stringify(rules), pauseMs);
  const input = useMemo(() => ({ ...(JSON.parse(policy, reviveDate) as CardPolicyDraft) }), [policy]);
  // Query aborts the request of a draft that nobody shows any more.
  const backtest = useQuery({
    ...queries.cards.policies.backtest.queryOptions({
      organizationId,
      policy: input,
      from,
      ...(cardId !== null && { cardId }),
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack component="section" aria-label="What this policy would have declined" aria-live="polite">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4">
          The last {days} days under this policy
        </Title>
        {backtest.isFetching && <Loader size="xs" aria-label="Trying the policy" />}
      </Group>
      <Select
        label="Purchases of"
        size="xs"
        placeholder="All cards"
        clearable
        clearButtonProps={{ "aria-label": "All cards" }}
        searchable
        data={(cards.data ?? []).map(({ id, nickname, lastFour }) => {
          return {
            value: id,
            label: nickname === null ? `•••• ${lastFour}` : `${nickname} •••• ${lastFour}`,
          };
        })}
        value={cardId}
        onChange={setCardId}
      />
      {backtest.isError ? (
        <Problem error={backtest.error} retry={backtest.refetch} />
      ) : backtest.data === undefined ? (
        <Rows count={4} height={36} />
      ) : (
        <Outcome outcome={backtest.data} isOld={backtest.isPlaceholderData} />
      )}
    </Stack>
  );
}

function Outcome({ outcome, isOld }: { outcome: CardPolicyBacktest; isOld: boolean }) {
  const { evaluated, declined, amountsDeclined, reasons, samples } = outcome;
  if (evaluated === 0)
    return <Text c="dimmed">No purchase was approved in this time, so there is nothing to try.</Text>;
  const sums = amountsDeclined.map(({ amount, currency }) => formatMoney(amount, currency)).join(" and ");
  return (
    <Stack style={{ opacity: isOld ? 0.6 : 1 }}>
      <div>
        <Text fz={26} fw={650}>
          {declined} of {evaluated} declined
        </Text>
        <Text size="sm" c="dimmed">
          {declined === 0 ? "Every approved purchase would still pass." : `${sums} of approved purchases.`}
        </Text>
        <Progress.Root size="lg" mt="xs" aria-hidden>
          <Progress.Section value={(declined / evaluated) * 100} color="red" />
          <Progress.Section value={((evaluated - declined) / evaluated) * 100} color="purser" />
        </Progress.Root>
      </div>
      {reasons.length > 0 && <Reasons outcome={outcome} />}
      {samples.length > 0 && (
        <div>
          <Title order={3} size="h6" mb={4}>
            {declined > samples.length ? `The newest ${samples.length}` : "Purchases"}
          </Title>
          <Box mah={320} tabIndex={0} role="group" aria-label="Purchases" style={{ overflowY: "auto" }}>
            <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: "none" }}>
              {samples.map(({ id, merchantName, amount, currency, createdAt }) => (
                <Group component="li" key={id} justify="space-between" wrap="nowrap" gap="xs">
                  <div style={{ minWidth: 0 }}>
                    <Text size="sm" truncate>
                      {merchantName}
                    </Text>
                    <Text size="xs" c="dimmed">
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
          <Progress value={(count / declined) * 100} color="red" size="sm" aria-hidden />
        </li>
      ))}
    </Stack>
  );
}

const reviveDate = (key: string, value: unknown): unknown =>
  (key === "activeFrom" || key === "activeTo") && typeof value === "string" ? new Date(value) : value;
