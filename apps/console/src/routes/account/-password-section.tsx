import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { passwordLength } from "@purser/client/auth";
import { useForm } from "@mantine/form";
import { useAction } from "../../data/action.tsx";
import { accountQueries } from "../../data/account.ts";
import { auth } from "../../data/purser.ts";
import { Section } from "./-section.tsx";

export function PasswordSection({ email }: { email: string }) {
  const form = useForm({ initialValues: { currentPassword: "", newPassword: "" } });
  const change = useAction(
    (values: typeof form.values) => auth.changePassword({ ...values, revokeOtherSessions: true }),
    {
      done: "Your new password is saved",
      invalidates: [accountQueries.session, accountQueries.sessions],
      form,
      fieldOf: {
        INVALID_PASSWORD: "currentPassword",
        PASSWORD_TOO_SHORT: "newPassword",
        PASSWORD_TOO_LONG: "newPassword",
      },
      onDone: () => form.reset(),
    },
  );
  return (
    <Section title="Password" about="You will be signed out everywhere else.">
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        {/* Password managers look for it. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Stack gap="sm">
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            {...form.getInputProps("currentPassword")}
          />
          <PasswordInput
            label="New password"
            description={`At least ${passwordLength.minimum} characters.`}
            autoComplete="new-password"
            {...form.getInputProps("newPassword")}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
