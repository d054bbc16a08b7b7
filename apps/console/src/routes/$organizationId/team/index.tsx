import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { createFileRoute } from "@tanstack/react-router";
import { PageTabs } from "../../../components/page-tabs.tsx";
import { Page } from "../../../components/page.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { chosen, readOneOf, textOf } from "../../../data/search.ts";
import { Activity } from "./-activity.tsx";
import { Invitations } from "./-invitations.tsx";
import { InviteDialog } from "./-invite-dialog.tsx";
import { Members } from "./-members.tsx";
import { OrganizationProfile } from "./-organization.tsx";

const tabs = ["members", "invitations", "activity", "organization"] as const;

export const Route = createFileRoute("/$organizationId/team/")({
  validateSearch: ({ tab, area }: Record<string, unknown>) =>
    chosen({ tab: readOneOf(tabs, tab), area: textOf(area) }),
  component: Team,
});

function Team() {
  const { can } = useOrganization();
  const { tab = "members", area } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [isInviting, { open, close }] = useDisclosure();
  const invite = can("organizations.invitations.create") && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
      Invite a person
    </Button>
  );
  const shown = [
    { name: "members", label: "Members", content: <Members /> } as const,
    ...(can("organizations.invitations.list")
      ? ([{ name: "invitations", label: "Invitations", content: <Invitations onInvite={open} /> }] as const)
      : []),
    {
      name: "activity",
      label: "Activity",
      content: (
        <Activity
          area={area}
          onArea={(next) =>
            void navigate({ search: chosen({ tab: "activity" as const, area: next }), replace: true })
          }
        />
      ),
    } as const,
    { name: "organization", label: "Organization", content: <OrganizationProfile /> } as const,
  ];
  return (
    <Page
      title="Team"
      description="Who can see and spend this organization’s money, and what they did."
      actions={invite}
    >
      <PageTabs
        label="Parts of the team"
        tabs={shown}
        open={shown.some(({ name }) => name === tab) ? tab : "members"}
        onOpen={(name) => void navigate({ search: chosen({ tab: name === "members" ? undefined : name }) })}
      />
      <InviteDialog
        isOpen={isInviting}
        onClose={close}
        onInvited={() => void navigate({ search: { tab: "invitations" } })}
      />
    </Page>
  );
}
