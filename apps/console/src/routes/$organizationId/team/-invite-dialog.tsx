import { Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Role } from "@purser/client";
import { mayDiscard } from "../../../components/may-leave.ts";
import { useAction } from "../../../data/action.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useUnsavedChanges } from "../../../data/unsaved.ts";

/** What each role may do, in words. The service decides. */
const roles: readonly { value: Role; label: string; description: string }[] = [
  {
    value: "MEMBER",
    label: "Member",
    description: "Sees accounts and transactions, and uses their own cards",
  },
  {
    value: "OWNER",
    label: "Owner",
    description: "Also manages people, banks, cards, policies, billing and API keys",
  },
];

export function InviteDialog({
  isOpen,
  onClose,
  onInvited,
}: {
  isOpen: boolean;
  onClose: () => void;
  onInvited: () => void;
}) {
  const { organizationId } = useOrganization();
  const form = useForm<{ email: string; role: Role }>({ initialValues: { email: "", role: "MEMBER" } });
  useUnsavedChanges(form);
  const close = () => {
    form.reset();
    onClose();
  };
  const invite = useAction(
    (invitation: { email: string; role: Role }, attempt) =>
      purser.organizations.invitations.create({ organizationId, ...invitation }, attempt),
    {
      done: (_, { email }) => `The invitation is on its way to ${email.trim()}`,
      invalidates: [queries.organizations.invitations.list],
      form,
      onDone: close,
      next: onInvited,
    },
  );
  return (
    <Modal
      opened={isOpen}
      onClose={() => void mayDiscard(form).then((agreed) => agreed && close())}
      title="Invite a person"
    >
      <form noValidate onSubmit={form.onSubmit((values) => invite.mutate(values))}>
        <Stack>
          <TextInput
            type="email"
            label="E-mail address"
            description="They get a link. The list of invitations shows until when it works."
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("email")}
          />
          <Radio.Group label="Role" {...form.getInputProps("role")}>
            <Stack gap="xs" mt="xs">
              {roles.map(({ value, label, description }) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending}>
              Send the invitation
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
