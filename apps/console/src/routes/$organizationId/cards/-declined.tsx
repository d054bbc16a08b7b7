import { Anchor, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { reasonInWords } from "../../../data/card-words.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

const shown = 5;

/** The newest purchases that were declined, each with its reason and a way to what lets it pass. */
export function Declined() {
  const { organizationId } = useOrganization();
  const { data = [] } = useQuery(
    queries.cards.transactions.list.queryOptions({ organizationId, status: "DECLINED", limit: shown }),
  );
  if (data.length === 0) return null;
  return (
    <Card withBorder component="section" aria-label="Declined purchases">
      <Title order={2} size="h4" mb="sm">
        Declined purchases
      </Title>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
        {data.map(({ id, cardId, merchantName, declineReason, amount, currency, createdAt }) => (
          <Group component="li" key={id} justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Anchor
                size="sm"
                c="inherit"
                fw={550}
                display="block"
                truncate
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/$organizationId/cards/$cardId"
                    params={{ organizationId, cardId }}
                    search={{ purchase: id }}
                  />
                )}
              >
                {merchantName}
              </Anchor>
              <Text size="xs" c="dimmed">
                {declineReason !== null && `${reasonInWords(declineReason).title} · `}
                <DateTime at={createdAt} />
              </Text>
            </div>
            <Amount size="sm" value={amount} currency={currency} />
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
