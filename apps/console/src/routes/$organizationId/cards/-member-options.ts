import type { MemberListItem } from "@purser/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { allMembers } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";

interface MemberOption {
  value: string;
  label: string;
}

/** The members who can hold a card, for a list to choose from. The values are ids of users. */
export function useMemberOptions(): UseQueryResult<MemberOption[]> {
  const { organizationId } = useOrganization();
  return useQuery({
    ...allMembers(organizationId),
    select: optionsOf,
  });
}

const optionsOf = (members: readonly MemberListItem[]): MemberOption[] =>
  members.map(({ userId, user }) => ({
    value: userId,
    label: user === undefined ? userId : (user.name ?? user.email),
  }));
