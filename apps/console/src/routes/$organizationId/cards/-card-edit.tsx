import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { CardListItem } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { mayDiscard } from "../../../components/may-leave.ts";
import { Problem } from "../../../components/problem.tsx";
import { useAction } from "../../../data/action.tsx";
import { changedFields } from "../../../data/changed-fields.ts";
import { useEditForm } from "../../../data/edit-form.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useMemberOptions } from "./-member-options.ts";

/** Assigns a card to another member, or changes its policy or name. */
export function CardEdit({
  card,
  isOpen,
  onClose,
}: {
  card: CardListItem;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { organizationId } = useOrganization();
  const before = {
    assignedToId: card.assignedTo.id,
    policyId: card.policy.id,
    nickname: card.nickname,
  };
  const form = useEditForm<EditValues>({ ...before, nickname: before.nickname ?? "" });
  const close = () => {
    form.reset();
    onClose();
  };
  const save = useAction(
    (values: EditValues) =>
      purser.cards.update({
        organizationId,
        cardId: card.id,
        ...changedFields(before, { ...values, nickname: values.nickname.trim() || null }),
      }),
    {
      done: "The card is changed",
      invalidates: [queries.cards.list, queries.cards.get, queries.cards.policies.list],
      form,
      onDone: close,
    },
  );
  return (
    <Modal
      opened={isOpen}
      onClose={() => void mayDiscard(form).then((agreed) => agreed && close())}
      title="Change the card"
      closeButtonProps={{ "aria-label": "Close this window" }}
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <EditFields card={card} form={form} isSaving={save.isPending} onCancel={close} />
      </form>
    </Modal>
  );
}

type EditValues = {
  assignedToId: string;
  policyId: string;
  nickname: string;
};

function EditFields({
  card,
  form,
  isSaving,
  onCancel,
}: {
  card: CardListItem;
  form: UseFormReturnType<EditValues>;
  isSaving: boolean;
  onCancel: () => void;
}) {
  const { organizationId } = useOrganization();
  const members = useMemberOptions();
  const policies = useQuery(allPolicies(organizationId));
  const failed = failedQuery(members, policies);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  return (
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
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isSaving}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}
