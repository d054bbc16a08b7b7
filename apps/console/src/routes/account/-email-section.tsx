import { Alert, Button, Group, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Me } from "@purser/client";
import { useAction } from "../../data/action.tsx";
import { auth } from "../../data/purser.ts";
import { useUnsavedChanges } from "../../data/unsaved.ts";
import { Section } from "./-section.tsx";

export function EmailSection({ me: { email, emailVerified } }: { me: Me }) {
  const form = useForm({ initialValues: { newEmail: "" } });
  useUnsavedChanges(form);
  const change = useAction(({ newEmail }: typeof form.values) => auth.changeEmail({ newEmail }), {
    form,
    onDone: () => form.reset(),
  });
  const confirmAgain = useAction(() => auth.sendVerificationEmail({ email }), {
    done: `A link is on its way to ${email}`,
  });
  return (
    <Section
      title="E-mail address"
      about={
        <>
          You sign in with <strong>{email}</strong>.
        </>
      }
    >
      {!emailVerified && (
        <Alert color="orange" title="The address is not confirmed">
          <Group justify="space-between">
            <Text size="sm">
              Open the link in the mail. Without it, you cannot accept or send invitations.
            </Text>
            <Button
              size="xs"
              variant="default"
              loading={confirmAgain.isPending}
              onClick={() => confirmAgain.mutate()}
            >
              Send the link again
            </Button>
          </Group>
        </Alert>
      )}
      {change.isSuccess && (
        <Alert color="green" title="Open the link in the mail" role="status">
          <Text size="sm">
            A link is on its way to {change.variables.newEmail}. The address changes when you open it.
          </Text>
        </Alert>
      )}
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <TextInput
          type="email"
          label="New e-mail address"
          autoComplete="email"
          {...form.getInputProps("newEmail")}
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Send a link
          </Button>
        </Group>
      </form>
    </Section>
  );
}
