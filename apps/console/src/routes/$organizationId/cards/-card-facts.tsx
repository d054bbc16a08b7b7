import { Card, Stack, Text, Title } from "@mantine/core";
import type { CardListItem } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Facts } from "../../../components/facts.tsx";
import { TextLink } from "../../../components/links.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { allAccounts, allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { shopsInWords } from "../../../data/purchase-now.ts";
import { queries } from "../../../data/purser.ts";
import { CardLimit, holderName, purposeNames } from "./-card-parts.tsx";
import { stopWords } from "./-card-status.ts";

/** What a card is: its limit, its holder and policy, the shops where it works, and the account that pays. */
export function CardFacts({ card }: { card: CardListItem }) {
  const { organizationId, can } = useOrganization();
  const policies = useQuery(allPolicies(organizationId));
  const policy = policies.data?.find(({ id }) => id === card.policy.id);
  const shops = policy === undefined ? null : shopsInWords(policy);
  const link = (
    <TextLink
      inherit
      to="/$organizationId/policies/$policyId"
      params={{ organizationId, policyId: card.policy.id }}
    >
      {card.policy.name}
    </TextLink>
  );
  const facts = [
    ["Holder", holderName(card)],
    ["Policy", can("cards.policies.update") ? link : card.policy.name],
    ...(shops === null ? [] : [["Works only at", shops] as const]),
    ["Paid from", <PaidFrom key={card.id} card={card} />],
    ["Purpose", purposeNames[card.purpose]],
    ["Currency", card.currency],
  ] as const;
  const maySuspend = card.nextStatuses.length > 0;
  return (
    <Card withBorder component="section" aria-label="About the card">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4" mb="xs">
            Limit
          </Title>
          <CardLimit card={card} isExact />
        </div>
        <Facts facts={facts} />
        {maySuspend && (
          <div>
            <Text size="xs" c="dimmed">
              {stopWords.PAUSED}
            </Text>
            <Text size="xs" c="dimmed">
              {stopWords.FROZEN}
            </Text>
          </div>
        )}
      </Stack>
    </Card>
  );
}

/** The account that pays. The list of cards does not name it. */
function PaidFrom({ card: { id: cardId } }: { card: CardListItem }) {
  const { organizationId } = useOrganization();
  const card = useQuery(queries.cards.get.queryOptions({ organizationId, cardId }));
  const accounts = useQuery(allAccounts(organizationId));
  const account = accounts.data?.find(({ id }) => id === card.data?.fundingAccountId);
  if (failedQuery(card, accounts) !== undefined) return "It could not be read";
  if (account === undefined)
    return card.isPending || accounts.isPending ? "…" : "An account that was removed";
  return (
    <TextLink
      inherit
      to="/$organizationId/accounts/$accountId"
      params={{ organizationId, accountId: account.id }}
    >
      {account.accountName}
    </TextLink>
  );
}
