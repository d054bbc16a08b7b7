import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { CurrentSubscription } from "@purser/client";
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

/** What the organization has subscribed to, until when it is paid, and what to do about it. */
export function SubscriptionCard({ subscription }: { subscription: CurrentSubscription }) {
  const { plan } = subscription;
  return (
    <Stack>
      <Trouble {...subscription} />
      <Card withBorder component="section" aria-label="Subscription">
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

/** Until when it is paid, and what comes then. */
function Term({ status, isTrial, cancelAtPeriodEnd, currentPeriodEnd }: CurrentSubscription) {
  const end = <DateTime at={currentPeriodEnd} dateOnly />;
  if (status === "CANCELED") return <>It has ended. Choose a plan to start again.</>;
  if (isTrial && cancelAtPeriodEnd)
    return <>Canceled. The trial lasts until {end}, and nothing is charged.</>;
  if (isTrial) return <>Free trial until {end}. The first payment is due then.</>;
  if (cancelAtPeriodEnd) return <>Canceled. It is paid until {end}, and ends then.</>;
  if (status === "ACTIVE") return <>Paid until {end}. The next payment is due then.</>;
  return <>The period that is to be paid ends on {end}.</>;
}

/** What is wrong with the payments, and what an owner does about it. */
function Trouble(subscription: CurrentSubscription) {
  const { can } = useOrganization();
  const { id, canOpenPortal } = subscription;
  const trouble = troubles[subscription.status];
  if (trouble === undefined) return null;
  return (
    <Alert color={trouble.color} icon={<IconAlertTriangle />} title={trouble.title} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {can("billing.portal") ? trouble.advice : "Ask an owner of the organization to look after it."}
        </Text>
        {canOpenPortal && <PortalButton id={id} label="Update the payment method" />}
      </Stack>
    </Alert>
  );
}

const troubles: Partial<
  Record<CurrentSubscription["status"], { color: string; title: string; advice: string }>
> = {
  PAST_DUE: {
    color: "orange",
    title: "The last payment failed",
    advice:
      "The payment provider tries again during the next days. Update the payment method now, so that the plan stays.",
  },
  UNPAID: {
    color: "red",
    title: "The subscription is not paid",
    advice:
      "All attempts to be paid failed, or it is paused. Update the payment method and pay the open invoice.",
  },
  INCOMPLETE: {
    color: "orange",
    title: "The first payment has not succeeded yet",
    advice: "Complete it at the payment provider. The subscription starts once it is paid.",
  },
};

function SubscriptionActions({
  id,
  isTrial,
  currentPeriodEnd,
  canCancel,
  canResume,
  canResumeLater,
  canOpenPortal,
}: CurrentSubscription) {
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
      children: `${isTrial ? "Its trial lasts" : "It is paid"} until ${end}, and it stays active until then.${canResumeLater ? " You can resume it before that day." : ""}`,
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
          Cancel at the end of the period
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
