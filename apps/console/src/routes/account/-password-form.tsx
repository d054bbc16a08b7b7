import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useAction } from "../../data/action.tsx";
import { useUnstoredSecret } from "../../data/unsaved.ts";

/** Asks for the password before something that only the owner of the account may do. */
export function PasswordForm<Output>({
  action,
  isRisky = false,
  isForSecret = false,
  done,
  invalidates = [],
  send,
  onDone,
  onCancel,
}: {
  /** The words of the button. */
  action: string;
  isRisky?: boolean;
  /** Whether the answer is shown once. */
  isForSecret?: boolean;
  done?: string;
  invalidates?: readonly { queryKey: () => readonly unknown[] }[];
  send: (password: string) => Promise<Output>;
  onDone: (output: Output) => unknown;
  onCancel: () => void;
}) {
  const form = useForm({ initialValues: { password: "" } });
  const proceed = useAction(({ password }: { password: string }) => send(password), {
    ...(done !== undefined && { done }),
    invalidates,
    form,
    fieldOf: { INVALID_PASSWORD: "password" },
    onDone,
  });
  useUnstoredSecret(isForSecret && proceed.isPending);
  return (
    <form noValidate onSubmit={form.onSubmit((values) => proceed.mutate(values))}>
      <Stack gap="sm">
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps("password")}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={isForSecret && proceed.isPending} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={proceed.isPending} {...(isRisky && { color: "red" })}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
