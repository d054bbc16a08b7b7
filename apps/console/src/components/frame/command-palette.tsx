import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import {
  IconBook,
  IconBuilding,
  IconBuildingBank,
  IconCreditCard,
  IconLogout,
  IconMoon,
  IconSearch,
  IconUser,
  IconUserPlus,
} from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useOrganization } from "../../data/organization.ts";
import { queries } from "../../data/purser.ts";
import { signOut } from "../../data/session.ts";
import { usePages } from "./pages.ts";

/** Finds a page, an action or another organization by its words: ⌘K or Ctrl-K. */
// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function CommandPalette({ searches }: { searches: number }) {
  useEffect(() => spotlight.open(), [searches]);
  const groups = [
    { group: "Pages", actions: usePageCommands() },
    { group: "Actions", actions: useActionCommands() },
    { group: "Organizations", actions: useOrganizationCommands() },
  ].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      highlightQuery
      limit={10}
      nothingFound="Nothing found"
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: "Search pages and actions",
        "aria-label": "Search pages and actions",
      }}
    />
  );
}

function usePageCommands(): SpotlightActionData[] {
  const { organizationId } = useOrganization();
  const navigate = useNavigate();
  return usePages().map(({ to, label, words, icon: Icon }) => ({
    id: to,
    label,
    keywords: words,
    leftSection: <Icon size={18} />,
    onClick: () => void navigate({ to, params: { organizationId } }),
  }));
}

/** What an owner does most, where its page exists. */
const doings = [
  { path: "/$organizationId/accounts/connect", label: "Connect a bank", icon: IconBuildingBank },
  { path: "/$organizationId/cards/new", label: "Create a card", icon: IconCreditCard },
  { path: "/$organizationId/team", label: "Invite a member", icon: IconUserPlus },
] as const;

function useActionCommands(): SpotlightActionData[] {
  const { organizationId, isOwner } = useOrganization();
  const { routesByPath } = useRouter();
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const here = doings
    .filter(({ path }) => isOwner && path in routesByPath)
    .map(({ path, label, icon: Icon }) => ({
      id: path,
      label,
      leftSection: <Icon size={18} />,
      onClick: () => void navigate({ to: path, params: { organizationId } }),
    }));
  return [
    ...here,
    {
      id: "theme",
      label: "Switch between light and dark",
      leftSection: <IconMoon size={18} />,
      onClick: toggleColorScheme,
    },
    {
      id: "account",
      label: "Your account",
      keywords: "password two-factor sessions",
      leftSection: <IconUser size={18} />,
      onClick: () => location.assign("/account"),
    },
    {
      id: "docs",
      label: "API reference",
      leftSection: <IconBook size={18} />,
      onClick: () => location.assign("/docs"),
    },
    {
      id: "sign-out",
      label: "Sign out",
      leftSection: <IconLogout size={18} />,
      onClick: () => void signOut(),
    },
  ];
}

function useOrganizationCommands(): SpotlightActionData[] {
  const { organizationId } = useOrganization();
  const { data: me } = useSuspenseQuery(queries.me.get.queryOptions());
  const navigate = useNavigate();
  return me.memberships
    .filter((own) => own.organizationId !== organizationId)
    .map((own) => ({
      id: own.organizationId,
      label: own.organizationName,
      leftSection: <IconBuilding size={18} />,
      onClick: () =>
        void navigate({ to: "/$organizationId", params: { organizationId: own.organizationId } }),
    }));
}
