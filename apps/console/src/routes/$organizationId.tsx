import { AppShell, Burger, Group, NavLink, ScrollArea, Select, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsExchange, IconHome } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, createFileRoute, notFound, useNavigate } from "@tanstack/react-router";
import { useLiveEvents } from "../lib/live.ts";
import { queries } from "../lib/purser.ts";
import { requireUser } from "../lib/session.ts";

/** Everything about one organization: its navigation around the page that is open. */
export const Route = createFileRoute("/$organizationId")({
  beforeLoad: async ({ context, params: { organizationId } }) => {
    const { memberships } = await requireUser(context.queryClient);
    const membership = memberships.find((own) => own.organizationId === organizationId);
    if (membership === undefined) throw notFound();
    const settings = queries.organizations.settings.get.queryOptions({ id: organizationId });
    const { timeZone } = await context.queryClient.ensureQueryData(settings);
    return { membership, role: membership.role, timeZone };
  },
  component: Organization,
});

const pages = [
  { to: "/$organizationId", label: "Overview", icon: IconHome },
  { to: "/$organizationId/transactions", label: "Transactions", icon: IconArrowsExchange },
] as const;

function Organization() {
  const { organizationId } = Route.useParams();
  const [isOpen, { toggle, close }] = useDisclosure();
  useLiveEvents(organizationId);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <img src="/assets/purser.svg" alt="" width={28} height={28} />
          <Text fw={650}>Purser</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <OrganizationSwitcher organizationId={organizationId} />
        <ScrollArea mt="sm">
          {pages.map(({ to, label, icon: Icon }) => (
            <NavLink
              key={to}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={to}
                  params={{ organizationId }}
                  activeOptions={{ exact: true, includeSearch: false }}
                  activeProps={{ "data-active": true }}
                />
              )}
              label={label}
              leftSection={<Icon size={18} stroke={1.7} />}
              onClick={close}
            />
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function OrganizationSwitcher({ organizationId }: { organizationId: string }) {
  const { data: me } = useSuspenseQuery(queries.me.get.queryOptions());
  const navigate = useNavigate();
  return (
    <Select
      aria-label="Organization"
      data={me.memberships.map((own) => ({ value: own.organizationId, label: own.organizationName }))}
      value={organizationId}
      allowDeselect={false}
      onChange={(chosen) => {
        if (chosen !== null) void navigate({ to: "/$organizationId", params: { organizationId: chosen } });
      }}
    />
  );
}
