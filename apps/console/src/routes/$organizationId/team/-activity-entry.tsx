import { Text } from "@mantine/core";
import type { Event } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { TextLink } from "../../../components/links.tsx";
import { usePolicyCurrencies } from "../../../data/card-currency.ts";
import { sentenceOf } from "../../../data/event-words.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { useOrganization } from "../../../data/organization.ts";
import { policyChangesInWords } from "../../../data/policy-changes.ts";
import { queries } from "../../../data/purser.ts";

/** What happened, with the way to what it happened to. */
export function ActivityEntry({ event }: { event: Event }) {
  const { timeZone } = useOrganization();
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {sentenceOf(event, timeZone)} <SubjectLink event={event} />
      </Text>
      {event.type === "card_policy.updated" && <PolicyChange event={event} />}
    </div>
  );
}

function SubjectLink({ event }: { event: Event }) {
  const { organizationId } = useOrganization();
  const { type, id } = event.subject;
  if (type === "card_policy")
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

/** The audit entry of a change is written in the same moment as its event. */
const sameMomentMs = 2000;

/** What was changed in a policy, which owners read from the audit trail. */
function PolicyChange({ event }: { event: Extract<Event, { type: "card_policy.updated" }> }) {
  const { organizationId, can, timeZone } = useOrganization();
  const { currencies } = usePolicyCurrencies(event.subject.id);
  const categoryOf = useCategoryWords();
  const { data: entries = [] } = useQuery({
    ...queries.organizations.audit.list.queryOptions({ id: organizationId }),
    enabled: can("organizations.audit.list"),
  });
  const entry = entries.find(
    ({ subject, at, action }) =>
      subject === event.subject.id &&
      action === "cards.policies.update" &&
      Math.abs(at.getTime() - event.createdAt.getTime()) < sameMomentMs,
  );
  if (currencies === undefined) return null;
  const { currency } = currencies;
  const changes = policyChangesInWords(entry?.details ?? {}, { currency, timeZone, categoryOf });
  if (changes.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      Changed: {changes.join("; ")}
    </Text>
  );
}
