import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import type { CardListItem } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Problem } from "../../../components/problem.tsx";
import { useAction } from "../../../data/action.tsx";
import { changedFields } from "../../../data/changed-fields.ts";
import { useEditForm } from "../../../data/edit-form.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useMemberOptions } from "./-member-options.ts";

interface CardEditProps {
  card: CardListItem;
  onClose: () => void;
}

/** Assigns a card to another member, or changes its policy or name. */
export function CardEdit({ isOpen, ...props }: CardEditProps & { isOpen: boolean }) {
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      title="Change the card"
      closeButtonProps={{ "aria-label": "Close this window" }}
    >
      <EditForm {...props} />
    </Modal>
  );
}

function EditForm({ card, onClose }: CardEditProps) {
  const { organizationId } = useOrganization();
  const members = useMemberOptions();
  const policies = useQuery(allPolicies(organizationId));
  const before = {
    assignedToId: card.assignedTo.id,
    policyId: card.policy.id,
    nickname: card.nickname,
  };
  const form = useEditForm({ ...before, nickname: before.nickname ?? "" });
  const save = useAction(
    (values: typeof form.values) =>
      purser.cards.update({
        organizationId,
        cardId: card.id,
        ...changedFields(before, { ...values, nickname: values.nickname.trim() || null }),
      }),
    {
      done: "The card is changed",
      invalidates: [queries.cards.list, queries.cards.get, queries.cards.policies.list],
      form,
      onDone: onClose,
    },
  );
  const failed = failedQuery(members, policies);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack>
        <TextInput label="Name" placeholder="Such as Travel" {...form.getInputProps("nickname")} />
        <Select
          label="Holder"
          searchable
          allowDeselect={false}
          data={members.data ?? []}
          disabled={!card.canReassign}
          {...(!card.canReassign && { description: "The card issuer binds this card to one person." })}
          {...form.getInputProps("assignedToId")}
        />
        <Select
          label="Policy"
          description="Decides from the next purchase on."
          searchable
          allowDeselect={false}
          data={policies.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          {...form.getInputProps("policyId")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
