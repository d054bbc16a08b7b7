import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

/** The members who can hold a card, for a list to choose from. The values are ids of users. */
export function useMemberOptions(): { value: string; label: string }[] {
  const { organizationId } = useOrganization();
  const members = useQuery({
    ...queries.organizations.members.list.queryOptions({ organizationId }),
    // Without the members, the list would be empty as if there were none.
    throwOnError: (_, { state }) => state.data === undefined,
  });
  return (members.data ?? []).map(({ userId, user }) => ({
    value: userId,
    label: user === undefined ? userId : (user.name ?? user.email),
  }));
}
