import type { SpotlightActionData } from "@mantine/spotlight";
import { IconBuildingBank, IconCreditCard, IconShieldCheck, IconUser } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { failedQuery } from "../../data/failed-query.ts";
import { inWords } from "../../data/format.ts";
import { allAccounts, allCards, allMembers, allPolicies } from "../../data/lists.ts";
import { useOrganization } from "../../data/organization.ts";

/** The cards that the person may see, by name, number, holder and policy. */
export function useCardCommands(): SpotlightActionData[] {
  const { organizationId } = useOrganization();
  const { data = [] } = useQuery(allCards(organizationId));
  const navigate = useNavigate();
  return data.map(({ id: cardId, nickname, lastFour, assignedTo, policy, status }) => {
    const holder = assignedTo.name ?? assignedTo.email;
    return {
      id: cardId,
      label: nickname === null ? `Card ending in ${lastFour}` : `${nickname} (${lastFour})`,
      description: `${holder} · ${policy.name}${status === "ACTIVE" ? "" : ` · ${inWords(status)}`}`,
      leftSection: <IconCreditCard size={18} />,
      onClick: () =>
        void navigate({ to: "/$organizationId/cards/$cardId", params: { organizationId, cardId } }),
    };
  });
}

export function usePolicyCommands(): SpotlightActionData[] {
  const { organizationId } = useOrganization();
  const { data = [] } = useQuery(allPolicies(organizationId));
  const navigate = useNavigate();
  return data.map(({ id: policyId, name, description }) => ({
    id: policyId,
    label: name,
    ...(description !== null && { description }),
    leftSection: <IconShieldCheck size={18} />,
    onClick: () =>
      void navigate({ to: "/$organizationId/policies/$policyId", params: { organizationId, policyId } }),
  }));
}

/** The members, who have no pages of their own: each leads to the list of all. */
export function usePersonCommands(): SpotlightActionData[] {
  const { organizationId } = useOrganization();
  const { data = [] } = useQuery(allMembers(organizationId));
  const navigate = useNavigate();
  return data.flatMap(({ id, user, role }) =>
    user === null || user === undefined
      ? []
      : {
          id,
          label: user.name ?? user.email,
          description: `${inWords(role)} · ${user.email}`,
          leftSection: <IconUser size={18} />,
          onClick: () => void navigate({ to: "/$organizationId/team", params: { organizationId } }),
        },
  );
}

export function useAccountCommands(): SpotlightActionData[] {
  const { organizationId } = useOrganization();
  const { data = [] } = useQuery(allAccounts(organizationId));
  const navigate = useNavigate();
  return data.map(({ id: accountId, accountName, accountNumber, type, currency }) => ({
    id: accountId,
    label: accountName,
    description: `${inWords(type)} · ${currency}${accountNumber === null ? "" : ` · ${accountNumber}`}`,
    leftSection: <IconBuildingBank size={18} />,
    onClick: () =>
      void navigate({ to: "/$organizationId/accounts/$accountId", params: { organizationId, accountId } }),
  }));
}

/** Whether some things could not be read, and so cannot be found. */
export function useIsIncomplete(): boolean {
  const { organizationId } = useOrganization();
  return useQueries({
    queries: [
      allCards(organizationId),
      allPolicies(organizationId),
      allMembers(organizationId),
      allAccounts(organizationId),
    ],
    combine: (results) => failedQuery(...results) !== undefined,
  });
}
