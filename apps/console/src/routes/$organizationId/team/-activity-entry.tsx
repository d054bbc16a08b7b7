import { Text } from "@mantine/core";
import type { Event } from "@purser/client";
import { TextLink } from "../../../components/links.tsx";
import { usePolicyCurrencies } from "../../../data/card-currency.ts";
import { useEventSentence } from "../../../data/event-sentence.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { useOrganization } from "../../../data/organization.ts";
import { policyChangesInWords } from "../../../data/policy-changes.ts";

/** What happened, with the way to what it happened to. */
export function ActivityEntry({ event }: { event: Event }) {
  const sentenceOf = useEventSentence();
  return (
    <div>
      <Text size="sm">
        {sentenceOf(event)} <SubjectLink event={event} />
      </Text>
      {event.type === "card_policy.updated" && <PolicyChange event={event} />}
    </div>
  );
}

function SubjectLink({ event }: { event: Event }) {
  const { organizationId, can } = useOrganization();
  const { type, id } = event.subject;
  if (type === "card_policy" && can("cards.policies.update"))
    return (
      <TextLink
        inherit
        underline="always"
        to="/$organizationId/policies/$policyId"
        params={{ organizationId, policyId: id }}
        aria-label={`Open the policy ${"name" in event.data ? event.data.name : ""}`.trim()}
      >
        Open
      </TextLink>
    );
  if (type === "card")
    return (
      <TextLink
        inherit
        underline="always"
        to="/$organizationId/cards/$cardId"
        params={{ organizationId, cardId: id }}
        aria-label="Open the card"
      >
        Open
      </TextLink>
    );
  if (type === "card_transaction" && "cardId" in event.data)
    return (
      <TextLink
        inherit
        underline="always"
        to="/$organizationId/cards/$cardId"
        params={{ organizationId, cardId: event.data.cardId }}
        search={{ purchase: id }}
        aria-label="Open the purchase"
      >
        Open
      </TextLink>
    );
  return null;
}

/** What was changed in a policy. */
function PolicyChange({ event }: { event: Extract<Event, { type: "card_policy.updated" }> }) {
  const { timeZone } = useOrganization();
  const { currencies } = usePolicyCurrencies(event.subject.id);
  const categoryOf = useCategoryWords();
  if (currencies === undefined) return null;
  const { currency } = currencies;
  const changes = policyChangesInWords(event.data, { currency, timeZone, categoryOf });
  if (changes.length === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      Changed: {changes.join("; ")}
    </Text>
  );
}
