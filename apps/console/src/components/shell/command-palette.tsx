import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import { referenceUrl } from "@purser/client";
import {
  IconBook,
  IconBuilding,
  IconBuildingBank,
  IconCreditCard,
  IconCreditCardOff,
  IconHistory,
  IconId,
  IconKey,
  IconLogout,
  IconMoon,
  IconReceipt,
  IconSearch,
  IconUser,
  IconUserPlus,
  IconWebhook,
} from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { baseUrl } from "../../data/base-url.ts";
import { useOrganization } from "../../data/organization.ts";
import { queries } from "../../data/purser.ts";
import { signOut } from "../../data/sign-out.ts";
import {
  useAccountCommands,
  useCardCommands,
  useIsIncomplete,
  usePersonCommands,
  usePolicyCommands,
} from "./found-things.tsx";
import { type PageLabel, usePages } from "./pages.ts";

/** Finds a page, an action, a thing by its name, or another organization: ⌘K or Ctrl-K. */
// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function CommandPalette({ searches }: { searches: number }) {
  useEffect(() => spotlight.open(), [searches]);
  const isIncomplete = useIsIncomplete();
  const groups = [
    { group: "Pages", actions: usePageCommands() },
    { group: "Actions", actions: useActionCommands() },
    { group: "Parts of pages", actions: usePartCommands() },
    { group: "Cards", actions: useCardCommands() },
    { group: "Policies", actions: usePolicyCommands() },
    { group: "People", actions: usePersonCommands() },
    { group: "Bank accounts", actions: useAccountCommands() },
    { group: "Organizations", actions: useOrganizationCommands() },
  ].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      highlightQuery
      limit={12}
      scrollable
      maxHeight={420}
      nothingFound={
        isIncomplete
          ? "Not everything could be read, so it may be missing. Load the page again."
          : "Nothing found. Search transactions on their own page."
      }
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: "Search cards, policies, people, accounts, pages",
        "aria-label": "Search cards, policies, people, accounts and pages",
      }}
    />
  );
}

/** What else people call the pages and what is on them. */
const wordsOfPages: Record<PageLabel, string> = {
  Overview: "home balance spending category chart",
  Accounts: "bank connect consent confirm reconnect sync iban",
  Transactions: "payments search csv export note",
  Cards: "purchase freeze pause declined refused",
  Policies: "limits merchants rules budget",
  Team: "members people invite invitation role activity audit",
  Billing: "plan subscription invoice payment method upgrade price",
  Developers: "api keys webhooks events endpoint delivery secret",
  Sandbox: "test simulate",
};

function usePageCommands(): SpotlightActionData[] {
  const { organizationId } = useOrganization();
  const navigate = useNavigate();
  return usePages().map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    keywords: wordsOfPages[label],
    leftSection: <Icon size={18} />,
    onClick: () => void navigate({ to, params: { organizationId } }),
  }));
}

/** What a person looks for by the name of a part, and not of its page. */
const parts = [
  {
    to: "/$organizationId/cards/declined",
    label: "Declined purchases",
    icon: IconCreditCardOff,
    calls: "cards.transactions.list",
  },
  {
    to: "/$organizationId/cards/details",
    label: "Your details as a cardholder",
    icon: IconId,
    calls: "cards.cardholder.update",
  },
  {
    to: "/$organizationId/accounts",
    label: "Consents of banks",
    icon: IconBuildingBank,
    calls: "banking.connections.health",
  },
  {
    to: "/$organizationId/team",
    tab: "activity",
    label: "Activity",
    icon: IconHistory,
    calls: "events.list",
  },
  {
    to: "/$organizationId/billing",
    label: "Invoices and payment method",
    icon: IconReceipt,
    calls: "billing.portal",
  },
  {
    to: "/$organizationId/developers",
    tab: "keys",
    label: "API keys",
    icon: IconKey,
    calls: "keys.list",
  },
  {
    to: "/$organizationId/developers",
    tab: "webhooks",
    label: "Webhooks",
    icon: IconWebhook,
    calls: "webhookEndpoints.list",
  },
] as const;

function usePartCommands(): SpotlightActionData[] {
  const { organizationId, can } = useOrganization();
  const navigate = useNavigate();
  return parts
    .filter(({ calls }) => can(calls))
    .map(({ label, icon: Icon, ...part }) => ({
      id: label,
      label,
      leftSection: <Icon size={18} />,
      onClick: () =>
        void navigate({
          to: part.to,
          params: { organizationId },
          ...("tab" in part && { search: { tab: part.tab } }),
        }),
    }));
}

/** What people do most, where its page exists. */
const doings = [
  {
    path: "/$organizationId/accounts/connect",
    label: "Connect a bank",
    icon: IconBuildingBank,
    calls: "banking.link.create",
  },
  {
    path: "/$organizationId/cards/new",
    label: "Create a card",
    icon: IconCreditCard,
    calls: "cards.create",
  },
  {
    path: "/$organizationId/team",
    label: "Invite a member",
    icon: IconUserPlus,
    calls: "organizations.invitations.create",
  },
] as const;

function useActionCommands(): SpotlightActionData[] {
  const { organizationId, can } = useOrganization();
  const { routesByPath } = useRouter();
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const here = doings
    .filter(({ path, calls }) => can(calls) && path in routesByPath)
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
      keywords: "theme",
      leftSection: <IconMoon size={18} />,
      onClick: toggleColorScheme,
    },
    {
      id: "personal-keys",
      label: "Your API keys",
      keywords: "personal key token",
      leftSection: <IconKey size={18} />,
      onClick: () => location.assign("/account#keys"),
    },
    {
      id: "account",
      label: "Your account",
      keywords: "password two-factor sessions email profile",
      leftSection: <IconUser size={18} />,
      onClick: () => location.assign("/account"),
    },
    {
      id: "docs",
      label: "API reference",
      keywords: "documentation help errors",
      leftSection: <IconBook size={18} />,
      onClick: () => location.assign(referenceUrl(baseUrl)),
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
