import { Card, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { BillingPlan, BillingPlanVariant, CurrentSubscription } from "@purser/client";
import { formatMoney } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { otherOffers } from "./-offers.ts";
import { OfferedPrice, intervalOf } from "./-price.tsx";
import { planChangeAdvice } from "./-subscription-texts.ts";

/** What else there is to subscribe to, and what it costs compared with the present plan. */
export function OtherPlans({
  subscription,
  plans,
}: {
  subscription: CurrentSubscription;
  plans: readonly BillingPlan[];
}) {
  const { can } = useOrganization();
  const others = otherOffers(subscription, plans);
  const own = subscription.plan?.variant ?? undefined;
  return (
    <Stack component="section" aria-label="Other plans" gap="sm">
      <div>
        <Title order={2} size="h4">
          Other plans
        </Title>
        <Text size="sm" c="dimmed" mt={4} maw={720}>
          {others.length === 0
            ? "There is no other plan."
            : planChangeAdvice(subscription, can("billing.cancel"))}
        </Text>
      </div>
      {others.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {others.map((plan) => (
            <OtherPlan key={plan.id} plan={plan} own={own} />
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

function OtherPlan({ plan, own }: { plan: BillingPlan; own: BillingPlanVariant | undefined }) {
  const comparable = plan.variants.find((variant) => own !== undefined && isComparable(variant, own));
  const shown = comparable ?? plan.variants[0];
  return (
    <Card withBorder component="article" aria-label={plan.name}>
      <Stack h="100%" justify="space-between" gap="sm">
        <div>
          <Title order={3} size="h5">
            {plan.name}
          </Title>
          {plan.description !== null && (
            <Text size="sm" c="dimmed" mt={4}>
              {plan.description}
            </Text>
          )}
        </div>
        {shown !== undefined && (
          <div>
            <OfferedPrice variant={shown} isTrialEligible={false} />
            {comparable !== undefined && own !== undefined && (
              <Text size="sm">{comparisonOf(comparable, own)}</Text>
            )}
            {plan.variants
              .filter((variant) => variant !== shown)
              .map((variant) => (
                <Text key={variant.id} size="sm" c="dimmed">
                  {`or ${formatMoney(variant.price, variant.currency)} per ${intervalOf(variant)}`}
                </Text>
              ))}
          </div>
        )}
      </Stack>
    </Card>
  );
}

const isComparable = (one: BillingPlanVariant, other: BillingPlanVariant): boolean =>
  one.currency === other.currency && intervalOf(one) === intervalOf(other);

function comparisonOf(variant: BillingPlanVariant, own: BillingPlanVariant): string {
  const more = variant.price - own.price;
  if (more === 0) return "As much as you pay now";
  return `${formatMoney(Math.abs(more), own.currency)} ${more > 0 ? "more" : "less"} per ${intervalOf(own)} than now`;
}
