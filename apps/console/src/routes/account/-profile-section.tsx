import { Avatar, Button, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Me } from "@purser/client";
import { useAction } from "../../data/action.tsx";
import { accountQueries } from "../../data/account.ts";
import { auth, queries } from "../../data/purser.ts";
import { Section } from "./-section.tsx";

export function ProfileSection({ me }: { me: Me }) {
  const form = useForm({ initialValues: { name: me.name ?? "", image: me.avatarUrl ?? "" } });
  const save = useAction(
    ({ name, image }: typeof form.values) => auth.updateUser({ name, image: image.trim() || null }),
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
              description="Leave it empty for your initials."
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
