import { Avatar, Button, Group, TextInput } from "@mantine/core";
import type { Me } from "@purser/client";
import { useAction } from "../../data/action.tsx";
import { accountQueries } from "../../data/account.ts";
import { changedFields } from "../../data/changed-fields.ts";
import { useEditForm } from "../../data/edit-form.ts";
import { auth, queries } from "../../data/purser.ts";
import { Section } from "./-section.tsx";

export function ProfileSection({ me }: { me: Me }) {
  const stored = { name: me.name ?? "", image: me.avatarUrl ?? "" };
  const form = useEditForm(stored);
  const save = useAction(
    (values: typeof form.values) => {
      const { image, ...changes } = changedFields(stored, values);
      return auth.updateUser({ ...changes, ...(image !== undefined && { image: image.trim() || null }) });
    },
    { done: "The profile is saved", invalidates: [queries.me.get, accountQueries.session], form },
  );
  return (
    <Section title="Profile" about="Other members of your organizations see it.">
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Group align="flex-start" wrap="nowrap">
          <Avatar
            src={me.avatarUrl}
            name={me.name ?? me.email}
            color="purser"
            size={56}
            mt={24}
            aria-hidden
          />
          <div style={{ flex: 1 }}>
            <TextInput label="Name" autoComplete="name" {...form.getInputProps("name")} />
            <TextInput
              type="url"
              label="Picture URL"
              description="An https address, or empty for your initials."
              mt="sm"
              {...form.getInputProps("image")}
            />
            <Group justify="flex-end" mt="md">
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                Save
              </Button>
            </Group>
          </div>
        </Group>
      </form>
    </Section>
  );
}
