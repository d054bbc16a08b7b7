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
  {
    to: "/$organizationId",
    label: "Overview",
    icon: IconHome,
  },
  {
    to: "/$organizationId/accounts",
    label: "Accounts",
    icon: IconBuildingBank,
  },
  {
    to: "/$organizationId/transactions",
    label: "Transactions",
    icon: IconArrowsExchange,
  },
  {
    to: "/$organizationId/cards",
    label: "Cards",
    icon: IconCreditCard,
  },
  {
    to: "/$organizationId/policies",
    label: "Policies",
    icon: IconShieldCheck,
  },
  {
    to: "/$organizationId/team",
    label: "Team",
    icon: IconUsers,
  },
  {
    to: "/$organizationId/billing",
    label: "Billing",
    icon: IconReceipt,
  },
  {
    to: "/$organizationId/developers",
    label: "Developers",
    icon: IconCode,
  },
  { to: "/$organizationId/sandbox", label: "Sandbox", icon: IconFlask },
] as const;

export type PageLabel = (typeof pages)[number]["label"];

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
  label: PageLabel;
  icon: typeof IconHome;
}
