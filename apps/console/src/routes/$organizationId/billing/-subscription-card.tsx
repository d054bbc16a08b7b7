import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { OtherSubscription } from "@purser/client";
import { IconAlertTriangle, IconArrowRight } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { confirm } from "../../../components/confirm.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Status } from "../../../components/status.tsx";
import { useAction } from "../../../data/action.tsx";
import { formatZonedDay } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { Price } from "./-price.tsx";
import {
  cancellationConsequence,
  mayEndAtOnce,
  paymentTrouble,
  subscriptionTerm,
} from "./-subscription-texts.ts";

/** What the organization has subscribed to, until when it is paid, and what to do about it. */
export function SubscriptionCard({
  subscription,
  label,
}: {
  subscription: OtherSubscription;
  label: string;
}) {
  const { plan } = subscription;
  return (
    <Stack>
      <Trouble {...subscription} />
      <Card withBorder component="section" aria-label={label}>
        <Stack>
          <Group justify="space-between" align="flex-start">
            <div>
              <Group gap="sm">
                <Title order={2} size="h4">
                  {plan?.name ?? "A plan that is no longer offered"}
                </Title>
                <Status status={subscription.status} />
              </Group>
              {typeof plan?.description === "string" && (
                <Text size="sm" mt={4}>
                  {plan.description}
                </Text>
              )}
              <Text size="sm" c="dimmed" mt={4}>
                <Term {...subscription} />
              </Text>
            </div>
            {plan?.variant && <Price variant={plan.variant} />}
          </Group>
          <SubscriptionActions {...subscription} />
        </Stack>
      </Card>
    </Stack>
  );
}

function Term(subscription: OtherSubscription) {
  const [before, after] = subscriptionTerm(subscription);
  if (after === undefined) return before;
  return (
    <>
      {before}
      <DateTime at={subscription.currentPeriodEnd} dateOnly />
      {after}
    </>
  );
}

function Trouble(subscription: OtherSubscription) {
  const { can } = useOrganization();
  const { id, canOpenPortal } = subscription;
  const trouble = paymentTrouble(subscription);
  if (trouble === undefined) return null;
  return (
    <Alert color={trouble.color} icon={<IconAlertTriangle />} title={trouble.title} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {can("billing.portal") ? trouble.advice : "Ask an owner of the organization to look after it."}
        </Text>
        {canOpenPortal && trouble.isAboutPayment && (
          <PortalButton id={id} label="Update the payment method" />
        )}
      </Stack>
    </Alert>
  );
}

function SubscriptionActions(subscription: OtherSubscription) {
  const { id, currentPeriodEnd, canCancel, canResume, canResumeLater, canOpenPortal } = subscription;
  const { timeZone } = useOrganization();
  const invalidates = [queries.organizations.subscription.get];
  const resume = useAction(() => purser.billing.resume({ id }), {
    done: "The subscription goes on",
    invalidates,
  });
  const cancel = useAction(() => purser.billing.cancel({ id }), {
    done: "The subscription is canceled",
    invalidates,
    ...(canResumeLater && { undo: () => purser.billing.resume({ id }) }),
  });
  const end = formatZonedDay(currentPeriodEnd, timeZone);
  const ask = async () => {
    const agreed = await confirm({
      title: "Cancel the subscription?",
      children: cancellationConsequence(subscription, end),
      action: "Cancel the subscription",
      dismiss: "Keep it",
    });
    if (agreed) cancel.mutate();
  };
  return (
    <Group>
      {canOpenPortal && <PortalButton id={id} label="Payment method and invoices" />}
      {canResume && (
        <Button onClick={() => resume.mutate()} loading={resume.isPending}>
          Resume
        </Button>
      )}
      {canCancel && (
        <Button variant="light" color="red" onClick={() => void ask()} loading={cancel.isPending}>
          {mayEndAtOnce(subscription) ? "Cancel the subscription" : "Cancel at the end of the period"}
        </Button>
      )}
    </Group>
  );
}

/** Leads to the provider's page for the subscription, and from there back to this one. */
function PortalButton({ id, label }: { id: string; label: string }) {
  const { organizationId } = useOrganization();
  const router = useRouter();
  const returnTo = router.buildLocation({ to: "/$organizationId/billing", params: { organizationId } });
  const open = useAction(
    () => purser.billing.portal({ subscriptionId: id, redirectUrl: location.origin + returnTo.href }),
    { leadsTo: (url) => url },
  );
  return (
    <Button
      variant="default"
      rightSection={<IconArrowRight size={16} aria-hidden />}
      loading={open.isPending}
      onClick={() => open.mutate()}
    >
      {label}
    </Button>
  );
}
