import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useOnDemand } from "../../../components/on-demand.ts";
import { allCards } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

/** What a new organization does first. It goes once all is done. */
export function Steps({ hasAccounts }: { hasAccounts: boolean }) {
  const { organizationId, can } = useOrganization();
  // Most organizations have done them, so what shows them is no part of the first load.
  const [StepList, loadList] = useOnDemand(() => import("./step-list.tsx"));
  const cards = useQuery(allCards(organizationId));
  const members = useQuery(queries.organizations.members.list.queryOptions({ organizationId, limit: 2 }));
  const all = [
    { title: "Connect a bank", path: "accounts/connect", calls: "banking.link.create", isDone: hasAccounts },
    { title: "Issue a card", path: "cards/new", calls: "cards.create", isDone: cards.data?.length !== 0 },
    {
      title: "Invite someone",
      path: "team",
      calls: "organizations.invitations.create",
      isDone: members.data === undefined || members.data.length > 1,
    },
  ] as const;
  const steps = all.filter(({ calls }) => can(calls));
  const next = steps.find(({ isDone }) => !isDone);
  // Once money is there, the page has better things to show.
  const isShown = next !== undefined && !(hasAccounts && next.path === "team");
  useEffect(() => {
    if (isShown) void loadList();
  }, [isShown]);
  return isShown && StepList !== undefined && <StepList steps={steps} next={next.title} />;
}
