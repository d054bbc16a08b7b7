import { Alert, Anchor, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Problem } from "../../../components/problem.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { allCards } from "../../../data/lists.ts";
import { useNow } from "../../../data/now.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { alertsOfBank, alertsOfCard, alertsOfSubscription } from "./alert-sentences.ts";

/** What a person should look at: banks that need them, consents that end, cards near their limit, unpaid bills. */
export function OverviewAlerts() {
  const { organizationId } = useOrganization();
  const now = useNow();
  const health = useQuery(queries.banking.connections.health.queryOptions({ teamId: organizationId }));
  const cards = useQuery(allCards(organizationId));
  const subscription = useQuery(queries.organizations.subscription.get.queryOptions({ organizationId }));
  const alerts = [
    ...(health.data ?? []).flatMap((own) => alertsOfBank(own, now)),
    ...(cards.data ?? []).flatMap(alertsOfCard),
    ...alertsOfSubscription(subscription.data ?? null),
  ];
  const failed = failedQuery(health, cards, subscription);
  // What could not be read may need attention, too.
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (alerts.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} />}
      title={alerts.length === 1 ? "This needs attention" : `${alerts.length} things need attention`}
    >
      <Stack gap={4}>
        {alerts.map(({ key, sentence, page }) => (
          <Group key={key} gap="xs">
            <Text size="sm">{sentence}</Text>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                // The other pages have the parameters of this one.
                <Link
                  {...props}
                  to={`/$organizationId/${page}` as "/$organizationId"}
                  params={{ organizationId }}
                />
              )}
            >
              {`Go to ${page}`}
            </Anchor>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
