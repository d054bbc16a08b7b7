import {
  ActionIcon,
  type ActionIconProps,
  Avatar,
  type ButtonProps,
  Alert,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  NavLink,
  Text,
} from "@mantine/core";
import { useDisclosure, useWindowEvent } from "@mantine/hooks";
import { IconPlugConnectedX, IconSearch, IconSelector } from "@tabler/icons-react";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { rememberOrganization } from "../../data/last-organization.ts";
import { useLiveEvents } from "../../data/live.ts";
import { useOrganization } from "../../data/organization.ts";
import { queries } from "../../data/purser.ts";
import { useOnDemand } from "../on-demand.ts";
import classes from "./shell.module.css";
import { OnDemand } from "./on-demand.tsx";
import { usePages } from "./pages.ts";

/** What the keyboard of this machine has for `mod + K`. */
const searchKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

/** What stands around every page of an organization. */
export function OrganizationShell() {
  const { organizationId } = useOrganization();
  useEffect(() => rememberOrganization(organizationId), [organizationId]);
  const [isOpen, { toggle, close }] = useDisclosure();
  const isLost = useLiveEvents(organizationId);
  const [CommandPalette, loadPalette] = useOnDemand(() => import("./command-palette.tsx"));
  const [searches, setSearches] = useState(0);
  const search = () => {
    setSearches((count) => count + 1);
    void loadPalette();
  };
  // Mantine's `useHotkeys` would be 600 bytes of the first page.
  useWindowEvent("keydown", (event) => {
    const isMod = event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
    if (!isMod || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    search();
  });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", sm: "lg" }}
    >
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
            aria-expanded={isOpen}
          />
          <Link to="/$organizationId" params={{ organizationId }} className={classes.brand}>
            <img src="/assets/purser.svg" alt="" width={26} height={26} />
            Purser
          </Link>
          <Group ml="auto" gap="xs" wrap="nowrap">
            <SearchButton onClick={search} />
            <OnDemand button={<UserButton />} importModule={() => import("./user-menu.tsx")} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.navbar} data-closed={!isOpen || undefined}>
        <OnDemand
          button={<OrganizationButton />}
          importModule={() => import("./organization-switcher.tsx")}
        />
        <Pages />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        {isLost && <LostConnection />}
        <Outlet />
      </AppShell.Main>
      {CommandPalette !== undefined && <CommandPalette searches={searches} />}
    </AppShell>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <>
      <Button
        variant="default"
        size="xs"
        c="dimmed"
        fw={400}
        visibleFrom="sm"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd size="xs">{searchKeys}</Kbd>}
        onClick={onClick}
      >
        Search cards, people, pages
      </Button>
      <ActionIcon
        variant="default"
        hiddenFrom="sm"
        size="lg"
        aria-label="Search cards, people and pages"
        onClick={onClick}
      >
        <IconSearch size={16} />
      </ActionIcon>
    </>
  );
}

/** The props are those that the menu gives to its button. */
function UserButton(props: ActionIconProps) {
  const { data: me } = useSuspenseQuery(queries.me.get.queryOptions());
  return (
    <ActionIcon variant="transparent" size="lg" aria-label="You and the theme" {...props}>
      <Avatar src={me.avatarUrl} alt="" size={32} color="purser" />
    </ActionIcon>
  );
}

function OrganizationButton(props: ButtonProps) {
  const { organizationId: id, name } = useOrganization();
  const { data } = useQuery(queries.organizations.get.queryOptions({ id }));
  return (
    <Button
      variant="default"
      fullWidth
      justify="space-between"
      rightSection={<IconSelector size={16} />}
      aria-description="Switch to another organization"
      {...props}
    >
      {data?.avatarUrl && <Avatar src={data.avatarUrl} alt="" size={20} radius="sm" mr="xs" />}
      {name}
    </Button>
  );
}

function LostConnection() {
  return (
    <Alert
      color="orange"
      icon={<IconPlugConnectedX size={18} />}
      title="The connection is lost"
      mb="md"
      role="status"
    >
      What you see may be out of date. It catches up as soon as the connection is back.
    </Alert>
  );
}

function Pages() {
  const { organizationId } = useOrganization();
  const pages = usePages();
  return (
    <nav className={classes.pages} aria-label="Pages">
      {pages.map(({ to, label, icon: Icon }) => (
        <NavLink
          key={to}
          renderRoot={(props) => (
            <Link
              {...props}
              to={to}
              params={{ organizationId }}
              activeOptions={{ exact: label === "Overview", includeSearch: false }}
              activeProps={{ "data-active": true }}
            />
          )}
          label={
            <Text span size="sm">
              {label}
            </Text>
          }
          leftSection={<Icon size={18} stroke={1.7} />}
          className={classes.page}
        />
      ))}
    </nav>
  );
}
