import { ActionIcon, Avatar, Badge, Button, Group, type GroupProps, Menu, Text } from "@mantine/core";
import type { MemberListItem, Role } from "@purser/client";
import { IconDots, IconUserCheck, IconUserMinus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { confirm } from "../../../components/confirm.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { inWords } from "../../../data/format.ts";
import { allMembers } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { roleLabels } from "../../../data/role-labels.ts";

const nameOf = ({ user }: MemberListItem): string => user?.name ?? user?.email ?? "A member";

export function Members() {
  const { organizationId, can, userId } = useOrganization();
  const members = useQuery(allMembers(organizationId));
  const failed = failedQuery(members);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (members.data === undefined) return <Rows count={3} height={56} />;
  const own = members.data.find((member) => member.userId === userId);
  const columns: Column<MemberListItem>[] = [
    { header: "Person", cell: (member) => <Person member={member} isSelf={member.userId === userId} /> },
    {
      header: "Role",
      width: "220px",
      cell: (member) => <RoleOf member={member} />,
    },
  ];
  if (can("organizations.members.updateRole")) {
    columns.push({
      header: "Actions",
      width: "90px",
      align: "right",
      cell: (member) => <MemberActions member={member} isSelf={member.userId === userId} />,
    });
  }
  return (
    <>
      <DataTable
        label="Members"
        rows={members.data}
        rowKey={({ id }) => id}
        columns={columns}
        card={(member) => (
          <Group justify="space-between" wrap="nowrap">
            <Person member={member} isSelf={member.userId === userId} />
            <Group gap="xs" wrap="nowrap" flex="none">
              <RoleOf member={member} gap={2} justify="flex-end" maw={90} />
              {can("organizations.members.updateRole") && (
                <MemberActions member={member} isSelf={member.userId === userId} />
              )}
            </Group>
          </Group>
        )}
        rowHeight={60}
      />
      {own?.canRemove === true && <LeaveButton membershipId={own.id} />}
    </>
  );
}

function RoleOf({
  member: { role, isCreator },
  ...group
}: { member: MemberListItem } & Pick<GroupProps, "gap" | "justify" | "maw">) {
  return (
    <Group gap="xs" {...group}>
      <Text size="sm">{inWords(role)}</Text>
      {isCreator && (
        <Badge variant="light" color="gray" tt="none">
          Creator
        </Badge>
      )}
    </Group>
  );
}

function Person({ member, isSelf }: { member: MemberListItem; isSelf: boolean }) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Avatar
        src={member.user?.avatarUrl ?? null}
        name={nameOf(member)}
        color="purser"
        size={36}
        aria-hidden
      />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>
          {nameOf(member)}
          {isSelf && " (you)"}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {member.user?.email}
        </Text>
      </div>
    </Group>
  );
}

function MemberActions({ member, isSelf }: { member: MemberListItem; isSelf: boolean }) {
  const name = nameOf(member);
  const { id } = member;
  const changes = [queries.organizations.members.list, queries.me.get];
  const changeRole = useAction((role: Role) => purser.organizations.members.updateRole({ id, role }), {
    done: (_, role) => `${name} is ${roleLabels[role]} now`,
    invalidates: changes,
    // Someone who gave up their own rights cannot take them back.
    ...(!isSelf && { undo: () => purser.organizations.members.updateRole({ id, role: member.role }) }),
  });
  const remove = useAction(() => purser.organizations.members.remove({ membershipId: id }), {
    done: `${name} was removed`,
    invalidates: changes,
  });
  const { nextRoles, canRemove } = member;
  const canRemoveOther = canRemove && !isSelf;
  if (nextRoles.length === 0 && !canRemoveOther) return null;
  const giveUp = async () => {
    const agreed = await confirm({
      title: "Give up your rights?",
      children: "You become a member. Only another owner can make you an owner again.",
      action: "Become a member",
    });
    if (agreed) changeRole.mutate("MEMBER");
  };
  const askToRemove = async () => {
    const agreed = await confirm({
      title: `Remove ${name}?`,
      children:
        "They lose access at once. Their cards are frozen. To use one again, give it to another member, then unfreeze it.",
      action: "Remove",
    });
    if (agreed) remove.mutate();
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions for ${name}`}
          loading={changeRole.isPending || remove.isPending}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {nextRoles.map((role) => (
          <Menu.Item
            key={role}
            leftSection={<IconUserCheck size={16} />}
            onClick={() => (isSelf ? void giveUp() : changeRole.mutate(role))}
          >
            Make {roleLabels[role]}
          </Menu.Item>
        ))}
        {canRemoveOther && (
          <Menu.Item leftSection={<IconUserMinus size={16} />} color="red" onClick={() => void askToRemove()}>
            Remove
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Members may leave by themselves. */
function LeaveButton({ membershipId }: { membershipId: string }) {
  const { name } = useOrganization();
  const navigate = useNavigate();
  const leave = useAction(() => purser.organizations.members.remove({ membershipId }), {
    done: `You left ${name}`,
    // The start page would lead back to the organization that is left.
    invalidates: [queries.me.get],
    next: () => navigate({ to: "/" }),
  });
  const ask = async () => {
    const agreed = await confirm({
      title: `Leave ${name}?`,
      children: "You lose access at once. An owner can invite you again.",
      action: "Leave",
    });
    if (agreed) leave.mutate();
  };
  return (
    <Button mt="lg" variant="default" onClick={() => void ask()} loading={leave.isPending}>
      Leave the organization
    </Button>
  );
}
