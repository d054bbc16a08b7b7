import { Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { curlOf } from "@purser/client";
import { ExpirySelect, defaultExpiry, expirySeconds } from "../../../components/expiry-select.tsx";
import { mayDiscard } from "../../../components/may-leave.ts";
import { Copyable, ShownOnce, staysOpen } from "../../../components/secret.tsx";
import { baseUrl } from "../../../data/base-url.ts";
import { announceLostAnswer, useAction } from "../../../data/action.tsx";
import { undefinedIfApplied } from "../../../data/attempts.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useUnsavedChanges, useUnstoredSecret } from "../../../data/unsaved.ts";

interface NewKey {
  name: string;
  access: "read" | "write";
  days: string;
}

/** Creates an API key of the organization, and shows it once. */
export function KeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { organizationId } = useOrganization();
  const form = useForm<NewKey>({ initialValues: { name: "", access: "read", days: defaultExpiry } });
  const create = useAction(
    ({ name, access, days }: NewKey, attempt) => {
      const seconds = expirySeconds(days);
      const expiresAt = seconds === null ? null : new Date(Date.now() + seconds * 1000);
      return undefinedIfApplied(purser.keys.create({ organizationId, name, access, expiresAt }, attempt));
    },
    {
      invalidates: [queries.keys.list],
      form,
      onDone: (key) => {
        // What is written is used up: the key is what could be lost now.
        if (key !== undefined) return form.reset();
        announceLostAnswer("The key was created, but was lost. Revoke it, and create another.");
        return close();
      },
    },
  );
  useUnstoredSecret(create.isPending);
  useUnsavedChanges(form);
  const close = () => {
    form.reset();
    // The key must not show when the dialog opens again.
    create.reset();
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={() => void mayDiscard(form).then((agreed) => agreed && close())}
      {...staysOpen(create.isPending || create.data !== undefined)}
      title={create.data === undefined ? "Create an API key" : "Your API key"}
    >
      {create.data === undefined ? (
        <form noValidate onSubmit={form.onSubmit((values) => create.mutate(values))}>
          <Stack>
            <TextInput
              label="Name"
              description="What the key is for, such as “Accounting export”."
              autoComplete="off"
              data-autofocus
              {...form.getInputProps("name")}
            />
            <Radio.Group label="It may" {...form.getInputProps("access")}>
              <Stack gap="xs" mt="xs">
                <Radio value="read" label="Read" description="What a member without cards can see" />
                <Radio
                  value="write"
                  label="Read and write"
                  description="Also what a member can change, webhook endpoints, and every event, of all purchases too"
                />
              </Stack>
            </Radio.Group>
            <ExpirySelect {...form.getInputProps("days")} />
            <Group justify="flex-end">
              <Button variant="default" disabled={create.isPending} onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Create the key
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <ShownOnce value={create.data.key} label="API key" onDone={close}>
          <div>
            <Text size="sm" mb={4}>
              Try it:
            </Text>
            <Copyable value={sampleOf(organizationId, create.data.key)} label="Sample request" />
          </div>
        </ShownOnce>
      )}
    </Modal>
  );
}

/** A request that every key may make, for a terminal. */
const sampleOf = (organizationId: string, key: string): string =>
  curlOf(baseUrl, "organizations.get", { id: organizationId }, key);
