import { createFileRoute, redirect } from "@tanstack/react-router";
import { requireUser } from "../data/session.ts";

/** Leads to the newest organization of the user, or to the form that creates the first one. */
export const Route = createFileRoute("/")({
  loader: async ({ context }) => {
    const { memberships } = await requireUser(context.queryClient);
    const [first] = memberships;
    if (first === undefined) throw redirect({ to: "/welcome" });
    throw redirect({ to: "/$organizationId", params: { organizationId: first.organizationId } });
  },
});
