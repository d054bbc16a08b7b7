import {
  IconArrowsExchange,
  IconBuildingBank,
  IconCode,
  IconCreditCard,
  IconFlask,
  IconHome,
  IconReceipt,
  IconShieldCheck,
  IconUsers,
} from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { hasSandbox } from "../../data/sandbox.ts";

/** The pages of an organization, in the order of the navigation. */
const pages = [
  { to: "/$organizationId", label: "Overview", icon: IconHome, words: "home balance" },
  { to: "/$organizationId/accounts", label: "Accounts", icon: IconBuildingBank, words: "bank connect" },
  {
    to: "/$organizationId/transactions",
    label: "Transactions",
    icon: IconArrowsExchange,
    words: "payments search csv",
  },
  { to: "/$organizationId/cards", label: "Cards", icon: IconCreditCard, words: "purchase freeze" },
  {
    to: "/$organizationId/policies",
    label: "Policies",
    icon: IconShieldCheck,
    words: "limits merchants rules",
  },
  { to: "/$organizationId/team", label: "Team", icon: IconUsers, words: "members invite audit" },
  { to: "/$organizationId/billing", label: "Billing", icon: IconReceipt, words: "plan subscription" },
  {
    to: "/$organizationId/developers",
    label: "Developers",
    icon: IconCode,
    words: "api keys webhooks events",
  },
  { to: "/$organizationId/sandbox", label: "Sandbox", icon: IconFlask, words: "test simulate" },
] as const;

/** The pages that exist here: the sandbox is part of development only. */
export function usePages() {
  const { routesByPath } = useRouter();
  return pages.filter(
    ({ to, label }) => to in routesByPath && (label !== "Sandbox" || hasSandbox()),
  ) as unknown as readonly Page[];
}

interface Page {
  // The type of a path that surely exists. The others have the same parameters.
  to: "/$organizationId";
  label: string;
  icon: typeof IconHome;
  words: string;
}
