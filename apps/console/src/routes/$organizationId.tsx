import { Button, Center } from "@mantine/core";
import { Link, createFileRoute, notFound } from "@tanstack/react-router";
import { Empty } from "../components/empty.tsx";
import { OrganizationShell } from "../components/shell/index.tsx";
import { queries } from "../data/purser.ts";
import { membershipIn } from "../data/session.ts";

/** Everything about one organization: its navigation around the page that is open. */
export const Route = createFileRoute("/$organizationId")({
  beforeLoad: async ({ context, params: { organizationId } }) => {
    const options = queries.organizations.settings.get.queryOptions({ id: organizationId });
    const settings = context.queryClient.query({ ...options, staleTime: "static" });
    // Of an organization that is not theirs, the service says nothing.
    settings.catch(() => undefined);
    const membership = await membershipIn(context.queryClient, organizationId);
    if (membership === undefined) throw notFound();
    const { timeZone } = await settings;
    return { membership, role: membership.role, timeZone };
  },
  component: OrganizationShell,
  notFoundComponent: NoOrganization,
});

function NoOrganization() {
  return (
    <Center mih="80dvh" p="md">
      <Empty
        title="There is no such page"
        action={
          <Button component={Link} to="/">
            Go to your organizations
          </Button>
        }
      >
        Either the address is wrong, or you are not a member of this organization.
      </Empty>
    </Center>
  );
}
