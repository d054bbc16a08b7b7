import { Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Subscription } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { subscriptionsOf } from "../../../data/subscriptions.ts";
import { purser, queries } from "../../../data/purser.ts";
import { addDays, maxDay, zonedDay, zonedDayStart } from "../../../data/zoned-day.ts";
import { Control } from "./-control.tsx";

/** Moves the clock of a subscription with the sandbox's payment provider, and replaces its card. */
export function BillingClock() {
  const { organizationId } = useOrganization();
  const subscription = useQuery(queries.organizations.subscription.get.queryOptions({ organizationId }));
  const failed = failedQuery(subscription);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (subscription.data === undefined) return <Rows count={3} />;
  const all = subscriptionsOf(subscription.data);
  // The payment provider knows none that an administrator has entered. Nothing happens to one that has ended.
  const played = all.find(({ canOpenPortal }) => canOpenPortal) ?? all[0];
  if (played === undefined || played.status === "CANCELED")
    return <Empty title="No subscription">Subscribe to a plan on the billing page first.</Empty>;
  return <Controls subscription={played} />;
}

function Controls({ subscription }: { subscription: Subscription }) {
  const { timeZone } = useOrganization();
  const { id: subscriptionId, status, currentPeriodEnd } = subscription;
  const clock = useForm({ initialValues: { day: addDays(zonedDay(currentPeriodEnd, timeZone), 1) } });
  const card = useForm<{ card: "fails" | "succeeds" }>({ initialValues: { card: "fails" } });
  const reads = { invalidates: [queries.organizations.subscription.get] };
  const advance = useAction(
    ({ day }: typeof clock.values) =>
      purser.sandbox.billing.advance({ subscriptionId, to: zonedDayStart(day, timeZone) }),
    { ...reads, done: "The clock of the subscription is moved", form: clock },
  );
  const replace = useAction(
    (values: typeof card.values) => purser.sandbox.billing.replaceCard({ subscriptionId, ...values }),
    { ...reads, done: "The card is replaced", form: card },
  );
  return (
    <>
      <Text size="sm" mb="md">
        The subscription is {inWords(status).toLowerCase()}, until <DateTime at={currentPeriodEnd} />.
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: "start" }}>
        <Control
          title="Move the clock"
          hint="Only forward, and only of this subscription."
          action="Move"
          isPending={advance.isPending}
          onSubmit={() => advance.mutate(clock.values)}
        >
          <TextInput
            type="date"
            max={maxDay}
            label="To"
            required
            {...clock.getInputProps("day")}
            error={clock.errors["to"]}
          />
        </Control>
        <Control
          title="Replace the card that pays"
          action="Replace"
          isPending={replace.isPending}
          onSubmit={() => replace.mutate(card.values)}
        >
          <Select
            label="Payments with the new card"
            allowDeselect={false}
            data={[
              { value: "fails", label: "Fail" },
              { value: "succeeds", label: "Succeed" },
            ]}
            {...card.getInputProps("card")}
          />
        </Control>
      </SimpleGrid>
    </>
  );
}
