import { Alert, Anchor, Group, Stack, Text } from "@mantine/core";
import type { BankConnectionHealth, CardListItem, Subscription } from "@purser/client";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { nearLimit } from "../../../components/meter.tsx";
import { formatDistance } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

interface Concern {
  key: string;
  sentence: string;
  /** The page on which a person can do something about it. */
  page: "accounts" | "cards" | "billing";
}

/** What a person should look at: banks that need them, consents that end, cards near their limit, unpaid bills. */
export function Attention() {
  const { organizationId } = useOrganization();
  const health = useQuery(queries.banking.connections.health.queryOptions({ teamId: organizationId }));
  const cards = useQuery(queries.cards.list.queryOptions({ organizationId, limit: 200 }));
  const subscription = useQuery(queries.organizations.subscription.get.queryOptions({ organizationId }));
  const concerns = [
    ...(health.data ?? []).flatMap((own) => concernOfBank(own)),
    ...(cards.data ?? []).flatMap(concernOfCard),
    ...concernOfSubscription(subscription.data ?? null),
  ];
  if (concerns.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} />}
      title={concerns.length === 1 ? "This needs attention" : `${concerns.length} things need attention`}
    >
      <Stack gap={4}>
        {concerns.map(({ key, sentence, page }) => (
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

/** From this many days before its end on, a consent should be confirmed again. */
const consentDays = 14;

export function concernOfBank(health: BankConnectionHealth, now = new Date()): Concern[] {
  const { connectionId: key, status, consentExpiresAt } = health;
  if (status === "needs_reauthorization")
    return [{ key, sentence: "A bank asks someone to sign in to it again.", page: "accounts" }];
  if (status === "failing")
    return [{ key, sentence: "A bank could not be read. Purser tries again by itself.", page: "accounts" }];
  const daysLeft = (consentExpiresAt.getTime() - now.getTime()) / 86_400_000;
  if (status === "disconnected" || daysLeft > consentDays) return [];
  return [
    {
      key,
      sentence: `The consent for a bank ends ${formatDistance(consentExpiresAt, now)}.`,
      page: "accounts",
    },
  ];
}

export function concernOfCard({ id, nickname, lastFour, status, spending }: CardListItem): Concern[] {
  const { limit, used } = spending;
  if (status === "CLOSED" || limit === null || used <= limit * nearLimit) return [];
  const percent = limit === 0 ? 100 : Math.round((used / limit) * 100);
  const sentence = `The card ${nickname ?? ""} ending in ${lastFour} has used ${percent}% of its limit.`;
  return [{ key: id, sentence: sentence.replace("  ", " "), page: "cards" }];
}

export function concernOfSubscription(subscription: Subscription | null): Concern[] {
  if (subscription?.status !== "PAST_DUE" && subscription?.status !== "UNPAID") return [];
  return [{ key: "subscription", sentence: "A payment for the subscription is past due.", page: "billing" }];
}
