import { Alert, Button, Stack, Text } from "@mantine/core";
import type { CardListItem, CardTransaction, CheckedPurchase } from "@purser/client";
import { IconArrowRight, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ButtonLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { changesInWords, nowSentence, shopsInWords } from "../../../data/purchase-now.ts";
import { useVerdict } from "../../../data/purchase-verdict.ts";
import { useCardStatus } from "./-card-status.ts";

/** What the purchase would meet if it were made now, and what lets it pass. */
export function PurchaseNow({ card, transaction }: { card: CardListItem; transaction: CardTransaction }) {
  const { verdict, error, refetch } = useVerdict(transaction);
  if (error !== null) return <Problem error={error} retry={refetch} />;
  if (verdict === undefined) return <Rows count={1} height={110} />;
  return (
    <section aria-label="The same purchase now" aria-live="polite">
      {verdict.outcome === "approved" ? (
        <Alert color="green" title="Would pass now" icon={<IconCircleCheck />}>
          <Text size="sm">The merchant can try the same purchase again.</Text>
        </Alert>
      ) : (
        <StillDeclined card={card} transaction={transaction} verdict={verdict} />
      )}
    </section>
  );
}

interface StillDeclinedProps {
  card: CardListItem;
  transaction: CardTransaction;
  verdict: CheckedPurchase;
}

function StillDeclined({ card, transaction, verdict }: StillDeclinedProps) {
  const { organizationId, timeZone } = useOrganization();
  const categoryInWords = useCategoryWords();
  const policies = useQuery(allPolicies(organizationId));
  const policy = policies.data?.find(({ id }) => id === card.policy.id);
  const shops = policy === undefined ? null : shopsInWords(policy);
  const { reason, passesWith } = verdict;
  const isIntended = reason === "merchant_not_allowed" && shops !== null;
  const category = transaction.merchantCategory && categoryInWords(transaction.merchantCategory);
  const { currency } = transaction;
  const needed =
    policy !== undefined &&
    passesWith !== null &&
    changesInWords(policy, passesWith, { currency, timeZone }, categoryInWords).condition;
  return (
    <Alert
      color={isIntended ? "gray" : "orange"}
      title={isIntended ? "Would still be declined, as intended" : "Would still be declined"}
      icon={<IconCircleX />}
    >
      <Stack gap="sm">
        <Text size="sm">
          {isIntended ? `This card works only at ${shops}.` : nowSentence(verdict, transaction, category)}
          {needed !== false && ` The purchase passes ${needed}.`}
        </Text>
        <Remedy card={card} transaction={transaction} verdict={verdict} isQuiet={isIntended} />
      </Stack>
    </Alert>
  );
}

/** The action that lets the purchase pass. Members learn whom to ask. */
function Remedy({
  card,
  transaction,
  verdict: { reason, passesWith },
  isQuiet,
}: StillDeclinedProps & { isQuiet: boolean }) {
  const { organizationId, can } = useOrganization();
  const { change } = useCardStatus(card);
  const own = { size: "xs", style: { alignSelf: "flex-start" } } as const;
  if (reason === "card_closed" || reason === "card_expired")
    return can("cards.create") ? (
      <ButtonLink {...own} to="/$organizationId/cards/new" params={{ organizationId }}>
        Issue a new card
      </ButtonLink>
    ) : (
      <Text size="sm">Ask an owner for a new card.</Text>
    );
  if (reason === "card_frozen" || reason === "card_paused") {
    const isFrozen = reason === "card_frozen";
    return card.nextStatuses.includes("ACTIVE") ? (
      <Button {...own} loading={change.isPending} onClick={() => change.mutate("ACTIVE")}>
        {isFrozen ? "Unfreeze the card" : "Resume the card"}
      </Button>
    ) : (
      <Text size="sm">
        {card.canUpdate
          ? "Its holder is no member any more. Give it to a member first."
          : `Ask an owner to ${isFrozen ? "unfreeze" : "resume"} it.`}
      </Text>
    );
  }
  if (passesWith === null) return null;
  const [term] = Object.keys(passesWith);
  if (!can("cards.policies.update"))
    return <Text size="sm">Ask an owner to change the policy “{card.policy.name}”.</Text>;
  return (
    <ButtonLink
      {...own}
      variant={isQuiet ? "default" : "filled"}
      rightSection={<IconArrowRight size={14} />}
      to="/$organizationId/policies/$policyId"
      params={{ organizationId, policyId: card.policy.id }}
      search={{ ...(term !== undefined && { term }), purchase: transaction.id }}
    >
      Change “{card.policy.name}”
    </ButtonLink>
  );
}
