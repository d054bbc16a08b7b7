import { type ProcedureName, mayCall } from "@purser/client";
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { queries } from "./purser.ts";
import { zonedDay } from "./zoned-day.ts";

const route = getRouteApi("/$organizationId");

/** The organization of the page that is open, and the role of the signed-in user in it. Both follow changes. */
export function useOrganization() {
  const { organizationId } = route.useParams();
  const { membership: entered } = route.useRouteContext();
  const me = useSuspenseQuery(queries.me.get.queryOptions());
  const settings = useSuspenseQuery(queries.organizations.settings.get.queryOptions({ id: organizationId }));
  const membership = me.data.memberships.find((own) => own.organizationId === organizationId) ?? entered;
  return {
    organizationId,
    name: membership.organizationName,
    role: membership.role,
    /** Whether this user may call a procedure here at all. */
    can: (procedure: ProcedureName) => mayCall(membership.role, procedure),
    timeZone: settings.data.timeZone,
    userId: me.data.id,
  };
}

/** The calendar day that it is now in the organization's time zone, such as "2026-03-01". */
export const useToday = (): string => zonedDay(new Date(), useOrganization().timeZone);
