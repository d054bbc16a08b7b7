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
    words: "home balance spending category chart",
  },
  {
    to: "/$organizationId/accounts",
    label: "Accounts",
    icon: IconBuildingBank,
    words: "bank connect consent confirm reconnect sync iban",
  },
  {
    to: "/$organizationId/transactions",
    label: "Transactions",
    icon: IconArrowsExchange,
    words: "payments search csv export note",
  },
  {
    to: "/$organizationId/cards",
    label: "Cards",
    icon: IconCreditCard,
    words: "purchase freeze pause declined refused",
  },
  {
    to: "/$organizationId/policies",
    label: "Policies",
    icon: IconShieldCheck,
    words: "limits merchants rules budget",
  },
  {
    to: "/$organizationId/team",
    label: "Team",
    icon: IconUsers,
    words: "members people invite invitation role activity audit",
  },
  {
    to: "/$organizationId/billing",
    label: "Billing",
    icon: IconReceipt,
    words: "plan subscription invoice payment method upgrade price",
  },
  {
    to: "/$organizationId/developers",
    label: "Developers",
    icon: IconCode,
    words: "api keys webhooks events endpoint delivery secret",
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
