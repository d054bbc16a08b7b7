import { Text, Timeline, Title } from "@mantine/core";
import type { Event, ExplainedCardDecision } from "@purser/client";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { timelineOf } from "../../../data/purchase-timeline.ts";

const colors = { good: "green", bad: "red", neutral: "gray" } as const;

/** What happened to a purchase, the oldest first. */
export function PurchaseTimeline({
  decision,
  events,
  currency,
}: {
  decision: ExplainedCardDecision;
  events: readonly Event[];
  currency: string;
}) {
  const steps = timelineOf(decision, events);
  return (
    <section aria-label="What happened">
      <Title order={3} size="h5" mb="md">
        What happened
      </Title>
      <Timeline bulletSize={14} lineWidth={2} active={steps.length}>
        {steps.map(({ at, title, amount, tone }) => (
          <Timeline.Item key={`${at.getTime()} ${title}`} title={title} color={colors[tone]}>
            {amount !== null && (
              <Text size="sm">
                <Amount value={amount} currency={currency} />
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <DateTime at={at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </section>
  );
}
