import { Button, Group, Text } from "@mantine/core";
import type { Invitation } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { confirm } from "../../../components/confirm.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { PhoneRow } from "../../../components/phone-row.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { inWords } from "../../../data/format.ts";
import { allInvitations } from "../../../data/lists.ts";
import { useNow } from "../../../data/now.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";

const Email = ({ children }: { children: string }) => (
  <Text size="sm" fw={550} truncate>
    {children}
  </Text>
);

function Expiry({ at, before }: { at: Date; before?: string }) {
  if (at > useNow())
    return (
      <>
        {before}
        <DateTime at={at} />
      </>
    );
  return (
    <Text span inherit c="red">
      Expired
    </Text>
  );
}

const columns: Column<Invitation>[] = [
  {
    header: "Person",
    cell: ({ email }) => <Email>{email}</Email>,
  },
  { header: "Role", width: "120px", cell: ({ role }) => inWords(role) },
  {
    header: "Expires",
    width: "220px",
    cell: ({ expiresAt }) => <Expiry at={expiresAt} />,
  },
  {
    header: "Actions",
    width: "190px",
    align: "right",
    cell: (invitation) => <InvitationActions {...invitation} />,
  },
];

export function Invitations({ onInvite }: { onInvite: () => void }) {
  const { organizationId } = useOrganization();
  const invitations = useQuery(allInvitations(organizationId));
  const failed = failedQuery(invitations);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (invitations.data === undefined) return <Rows count={3} />;
  if (invitations.data.length === 0) {
    return (
      <Empty title="Nobody is invited" action={<Button onClick={onInvite}>Invite a person</Button>}>
        Invite colleagues by e-mail. Members see the organization’s money; owners also manage it.
      </Empty>
    );
  }
  // An address has one invitation. Sending it again replaces its id, and the row stays.
  return (
    <DataTable
      label="Invitations"
      rows={invitations.data}
      rowKey={({ email }) => email}
      columns={columns}
      card={(invitation) => (
        <>
          <PhoneRow title={<Email>{invitation.email}</Email>}>
            <span>{inWords(invitation.role)}</span>
            {" · "}
            <Expiry at={invitation.expiresAt} before="expires " />
          </PhoneRow>
          <InvitationActions {...invitation} />
        </>
      )}
    />
  );
}

function InvitationActions({ id, organizationId, email, role }: Invitation) {
  const invalidates = [queries.organizations.invitations.list];
  // The service replaces the earlier invitation to this address.
  const resend = useAction(
    (invitation: Pick<Invitation, "email" | "role">, attempt) =>
      purser.organizations.invitations.create({ organizationId, ...invitation }, attempt),
    { done: `The invitation is on its way to ${email} again`, invalidates },
  );
  const revoke = useAction(() => purser.organizations.invitations.revoke({ invitationId: id }), {
    done: `The invitation of ${email} is revoked`,
    invalidates,
  });
  const ask = async () => {
    const agreed = await confirm({
      title: "Revoke the invitation?",
      children: `The link that ${email} has stops working.`,
      action: "Revoke",
    });
    if (agreed) revoke.mutate();
  };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`Send again: the invitation to ${email}`}
        loading={resend.isPending}
        disabled={revoke.isPending}
        onClick={() => resend.mutate({ email, role })}
      >
        Send again
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={`Revoke: the invitation of ${email}`}
        loading={revoke.isPending}
        disabled={resend.isPending}
        onClick={() => void ask()}
      >
        Revoke
      </Button>
    </Group>
  );
}
