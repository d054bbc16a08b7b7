import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { mayCall, referenceUrl } from "@purser/client";
import type { ApiKey } from "@purser/client/auth";
import { useQuery } from "@tanstack/react-query";
import { confirm } from "../../components/confirm.tsx";
import { ExpirySelect, defaultExpiry, expirySeconds } from "../../components/expiry-select.tsx";
import { TextLink } from "../../components/links.tsx";
import { mayDiscard } from "../../components/may-leave.ts";
import { Problem } from "../../components/problem.tsx";
import { Rows } from "../../components/rows.tsx";
import { ShownOnce, staysOpen } from "../../components/secret.tsx";
import { useAction } from "../../data/action.tsx";
import { accountQueries, browserTimeZone } from "../../data/account.ts";
import { baseUrl } from "../../data/base-url.ts";
import { failedQuery } from "../../data/failed-query.ts";
import { formatInstant, formatZonedDay, isSoon } from "../../data/format.ts";
import { auth, queries } from "../../data/purser.ts";
import { useUnsavedChanges, useUnstoredSecret } from "../../data/unsaved.ts";
import { Section } from "./-section.tsx";

/** API keys that act as the user. */
export function PersonalKeys() {
  const keys = useQuery(accountQueries.keys.queryOptions());
  const failed = failedQuery(keys);
  const [isCreating, { open, close }] = useDisclosure();
  return (
    <Section title="Your API keys" id="keys" about={<AboutKeys />}>
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : keys.data === undefined ? (
        <Rows count={1} />
      ) : (
        keys.data.apiKeys.length > 0 && (
          <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
            {keys.data.apiKeys.map((key) => (
              <KeyItem key={key.id} {...key} />
            ))}
          </Stack>
        )
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={open}>
          Create a key
        </Button>
      </Group>
      <NewKey isOpen={isCreating} onClose={close} />
    </Section>
  );
}

/** Where the other kind of key is, and how programs send one. */
function AboutKeys() {
  const { data: me } = useQuery(queries.me.get.queryOptions());
  const owned = me?.memberships.filter(({ role }) => mayCall(role, "keys.create")) ?? [];
  return (
    <>
      A program with such a key acts as you. It cannot change this account. The{" "}
      <Anchor href={referenceUrl(baseUrl)} inherit underline="always">
        API reference
      </Anchor>{" "}
      says how to send a key.
      {owned.length > 0 && " A key that stays when you leave belongs to an organization: "}
      {owned.map(({ organizationId, organizationName }, index) => (
        <span key={organizationId}>
          {index > 0 && ", "}
          <TextLink
            inherit
            underline="always"
            to="/$organizationId/developers"
            params={{ organizationId }}
            aria-label={`API keys of ${organizationName}`}
          >
            {organizationName}
          </TextLink>
        </span>
      ))}
    </>
  );
}

function KeyItem({ id, name, start, createdAt, expiresAt }: ApiKey) {
  const title = name ?? "A key without a name";
  const revoke = useAction(() => auth.apiKey.delete({ keyId: id }), {
    done: `The key “${title}” is revoked`,
    invalidates: [accountQueries.keys],
  });
  const ask = async () => {
    const agreed = await confirm({
      title: `Revoke the key “${title}”?`,
      children: "Programs that use it are refused at once. This cannot be undone.",
      action: "Revoke",
    });
    if (agreed) revoke.mutate();
  };
  const dayOf = (instant: Date) => formatZonedDay(instant, browserTimeZone());
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {start}… · created on {dayOf(createdAt)} ·{" "}
          {expiresAt === null
            ? "does not expire"
            : `expires on ${isSoon(expiresAt) ? formatInstant(expiresAt, browserTimeZone()) : dayOf(expiresAt)}`}
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        flex="none"
        aria-label={`Revoke the key ${title}`}
        loading={revoke.isPending}
        onClick={() => void ask()}
      >
        Revoke
      </Button>
    </Group>
  );
}

function NewKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm({ initialValues: { name: "", days: defaultExpiry } });
  const create = useAction(
    ({ name, days }: typeof form.values) => auth.apiKey.create({ name, expiresIn: expirySeconds(days) }),
    { invalidates: [accountQueries.keys], form, onDone: () => form.reset() },
  );
  useUnstoredSecret(create.isPending);
  useUnsavedChanges(form);
  const close = () => {
    form.reset();
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
            <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
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
        <ShownOnce value={create.data.key} label="API key" onDone={close} />
      )}
    </Modal>
  );
}
