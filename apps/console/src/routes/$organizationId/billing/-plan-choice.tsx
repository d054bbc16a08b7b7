import { Button, Card, SegmentedControl, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { BillingPlan, BillingPlanVariant } from "@purser/client";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { Empty } from "../../../components/empty.tsx";
import { useAction } from "../../../data/action.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { purser } from "../../../data/purser.ts";
import { OfferedPrice, intervalOf } from "./-price.tsx";

/** The plans, each with a way to the payment page of the provider. */
export function PlanChoice({
  plans,
  isTrialEligible,
}: {
  plans: readonly BillingPlan[];
  isTrialEligible: boolean;
}) {
  const intervals = [...new Set(plans.flatMap(({ variants }) => variants.map(intervalOf)))];
  const [interval, setInterval] = useState(intervals[0]);
  if (plans.length === 0) {
    return (
      <Empty title="There are no plans">
        No payment provider is set up, or it sells nothing. Whoever runs this service can change that.
      </Empty>
    );
  }
  return (
    <section aria-label="Plans">
      <Stack>
        {intervals.length > 1 && interval !== undefined && (
          <SegmentedControl
            aria-label="How often to pay"
            w="fit-content"
            value={interval}
            onChange={setInterval}
            data={intervals.map((value) => ({ value, label: `Every ${value}` }))}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {plans.map((plan) => {
            const variant = plan.variants.find((one) => intervalOf(one) === interval) ?? plan.variants[0];
            return variant && <PlanCard key={plan.id} {...{ plan, variant, isTrialEligible }} />;
          })}
        </SimpleGrid>
      </Stack>
    </section>
  );
}

interface OfferedPlan {
  plan: BillingPlan;
  variant: BillingPlanVariant;
  isTrialEligible: boolean;
}

function PlanCard({ plan, variant, isTrialEligible }: OfferedPlan) {
  const { organizationId, can } = useOrganization();
  const router = useRouter();
  const returnTo = router.buildLocation({ to: "/$organizationId/billing", params: { organizationId } });
  const subscribe = useAction(
    () =>
      purser.billing.checkout({
        teamId: organizationId,
        planId: plan.id,
        variantId: variant.id,
        redirectUrl: location.origin + returnTo.href,
      }),
    { leadsTo: (url) => url },
  );
  return (
    <Card withBorder component="article" aria-label={plan.name}>
      <Stack h="100%" justify="space-between">
        <div>
          <Title order={2} size="h4">
            {plan.name}
          </Title>
          {plan.description !== null && (
            <Text size="sm" c="dimmed" mt={4}>
              {plan.description}
            </Text>
          )}
        </div>
        <Stack>
          <OfferedPrice variant={variant} isTrialEligible={isTrialEligible} />
          {can("billing.checkout") ? (
            <Button
              loading={subscribe.isPending}
              onClick={() => subscribe.mutate()}
              aria-label={`Subscribe to ${plan.name}`}
            >
              Subscribe
            </Button>
          ) : (
            <Text size="sm" c="dimmed">
              An owner can subscribe.
            </Text>
          )}
        </Stack>
      </Stack>
    </Card>
  );
}
