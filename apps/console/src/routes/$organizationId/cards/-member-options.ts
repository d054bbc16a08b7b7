import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

/** The members who can hold a card, for a list to choose from. The values are ids of users. */
export function useMemberOptions(): { value: string; label: string }[] {
  const { organizationId } = useOrganization();
  const members = useQuery(queries.organizations.members.list.queryOptions({ organizationId }));
  return (members.data ?? []).map(({ userId, user }) => ({
    value: userId,
    label: user === undefined ? userId : (user.name ?? user.email),
  }));
}
