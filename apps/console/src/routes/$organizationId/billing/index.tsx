import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { chosen, readOneOf } from "../../../data/search.ts";
import { PlanChoice } from "./-plan-choice.tsx";
import { OtherPlans } from "./-other-plans.tsx";
import { SubscriptionCard } from "./-subscription-card.tsx";
import { subscriptionsOf } from "../../../data/subscriptions.ts";

export const Route = createFileRoute("/$organizationId/billing/")({
  // The service adds it to the address when a person returns from the payment page.
  validateSearch: ({ checkout }: Record<string, unknown>) =>
    chosen({ checkout: readOneOf(["completed", "open"], checkout) }),
  component: Billing,
});

function Billing() {
  const { organizationId } = useOrganization();
  const { checkout } = Route.useSearch();
  const navigate = Route.useNavigate();
  const subscription = useQuery(queries.organizations.subscription.get.queryOptions({ organizationId }));
  const plans = useQuery(queries.billing.plans.list.queryOptions());
  const failed = failedQuery(subscription, plans);
  const isLoaded = subscription.data !== undefined && plans.data !== undefined;
  const own = subscriptionsOf(subscription.data);
  const isLive = isLoaded && subscription.data?.isLive === true;
  return (
    <Page title="Billing" description="This organization’s subscription to Purser.">
      {checkout === "completed" && subscription.data?.status === "ACTIVE" && (
        <Alert
          color="green"
          icon={<IconCircleCheck />}
          title="Thank you. The subscription is active."
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      )}
      {checkout === "open" && !isLive && (
        <Alert
          color="blue"
          icon={<IconClock />}
          title="There is no payment yet"
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => void navigate({ search: {}, replace: true })}
        >
          <Text size="sm">If you have paid, it is still being confirmed, and shows here by itself.</Text>
        </Alert>
      )}
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : !isLoaded ? (
        <Rows count={2} height={160} />
      ) : (
        <Stack gap="lg">
          {own.length > 1 && (
            <Alert
              color="orange"
              icon={<IconAlertTriangle />}
              title={`There are ${own.length} subscriptions`}
            >
              <Text size="sm">
                Each that a payment provider has is charged until it ends. Cancel the one that you do not
                need.
              </Text>
            </Alert>
          )}
          {own.map((one, index) => (
            <SubscriptionCard
              key={one.id}
              subscription={one}
              label={own.length > 1 ? `Subscription ${index + 1}` : "Subscription"}
            />
          ))}
          {isLive && subscription.data !== null ? (
            <OtherPlans subscription={subscription.data} plans={plans.data} />
          ) : (
            <PlanChoice
              plans={plans.data}
              isTrialEligible={subscription.data === null || subscription.data.isTrialEligible}
            />
          )}
        </Stack>
      )}
    </Page>
  );
}
