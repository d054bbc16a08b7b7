import { createFileRoute, redirect } from "@tanstack/react-router";
import { lastOrganization } from "../data/last-organization.ts";
import { requireUser } from "../data/session.ts";

/** Leads to the organization that was open last, to the newest one of the user, or to the form that creates the first one. */
export const Route = createFileRoute("/")({
  loader: async ({ context }) => {
    const { memberships } = await requireUser(context.queryClient);
    const last = lastOrganization();
    const found = memberships.find(({ organizationId }) => organizationId === last) ?? memberships[0];
    if (found === undefined) throw redirect({ to: "/welcome" });
    throw redirect({ to: "/$organizationId", params: { organizationId: found.organizationId } });
  },
});
