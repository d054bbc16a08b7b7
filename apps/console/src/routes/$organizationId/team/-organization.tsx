import { Button, Card, Group, Select, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import type { Organization, OrganizationSettings } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { confirm } from "../../../components/confirm.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { changedFields } from "../../../data/changed-fields.ts";
import { useEditForm } from "../../../data/edit-form.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { letGo } from "../../../data/unsaved.ts";

/** The name and the settings of the organization. Members read them, owners change them. */
export function OrganizationProfile() {
  const { organizationId: id, can } = useOrganization();
  const organization = useQuery(queries.organizations.get.queryOptions({ id }));
  const settings = useQuery(queries.organizations.settings.get.queryOptions({ id }));
  const failed = failedQuery(organization, settings);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (organization.data === undefined || settings.data === undefined) return <Rows count={4} />;
  return (
    <Stack maw={640}>
      <Profile organization={organization.data} canChange={can("organizations.update")} />
      <Settings id={id} settings={settings.data} canChange={can("organizations.settings.update")} />
      {can("organizations.delete") && <Deletion />}
    </Stack>
  );
}

function Profile({ organization, canChange }: { organization: Organization; canChange: boolean }) {
  const { id, name, avatarUrl } = organization;
  const form = useEditForm({ name, avatarUrl: avatarUrl ?? "" });
  const before = { name, avatarUrl };
  const save = useAction(
    (changes: Partial<typeof before>) => purser.organizations.update({ id, ...changes }),
    {
      done: "The profile is saved",
      invalidates: [queries.organizations.get, queries.me.get],
      form,
      undo: (_, changes) => purser.organizations.update({ id, ...valuesBefore(before, changes) }),
    },
  );
  const submit = (values: typeof form.values) =>
    save.mutate(changedFields(before, { ...values, avatarUrl: values.avatarUrl.trim() || null }));
  return (
    <Card withBorder component="section" aria-label="Profile">
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack>
          <Title order={2} size="h4">
            Profile
          </Title>
          <TextInput
            label="Name"
            readOnly={!canChange}
            autoComplete="organization"
            {...form.getInputProps("name")}
          />
          <TextInput
            type="url"
            label="Picture URL"
            description="Shown beside the name. An https address, or empty for none."
            readOnly={!canChange}
            {...form.getInputProps("avatarUrl")}
          />
          {canChange && <SaveButton isPending={save.isPending} isDirty={form.isDirty()} />}
        </Stack>
      </form>
    </Card>
  );
}

function Settings({
  id,
  settings,
  canChange,
}: {
  id: string;
  settings: OrganizationSettings;
  canChange: boolean;
}) {
  const form = useEditForm({ ...settings });
  const save = useAction(
    (changes: Partial<OrganizationSettings>) => purser.organizations.settings.update({ id, ...changes }),
    {
      done: "The settings are saved",
      invalidates: [queries.organizations.settings.get],
      form,
      undo: (_, changes) => purser.organizations.settings.update({ id, ...valuesBefore(settings, changes) }),
    },
  );
  return (
    <Card withBorder component="section" aria-label="Settings">
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(changedFields(settings, values)))}>
        <Stack>
          <Title order={2} size="h4">
            Settings
          </Title>
          <Select
            label="Time zone"
            description="Days, weeks and months of spending limits begin in this zone, and all times are shown in it."
            data={timeZones(settings.timeZone)}
            searchable
            allowDeselect={false}
            readOnly={!canChange}
            nothingFoundMessage="No such time zone"
            {...form.getInputProps("timeZone")}
          />
          <Switch
            label="Partial approvals"
            description="Approve a purchase for what is left of a limit, where the merchant accepts less."
            disabled={!canChange}
            {...form.getInputProps("partialApprovals", { type: "checkbox" })}
          />
          {canChange && <SaveButton isPending={save.isPending} isDirty={form.isDirty()} />}
        </Stack>
      </form>
    </Card>
  );
}

/** What takes changes back: the values that these fields had, and no others. */
const valuesBefore = <Fields extends object>(before: Fields, changes: Partial<Fields>): Partial<Fields> =>
  Object.fromEntries(Object.entries(before).filter(([name]) => name in changes)) as Partial<Fields>;

/** The time zones that the browser knows, UTC, and the one in use. */
const timeZones = (current: string): string[] => [
  ...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")]),
];

const SaveButton = ({ isPending, isDirty }: { isPending: boolean; isDirty: boolean }) => (
  <Group justify="flex-end">
    <Button type="submit" loading={isPending} disabled={!isDirty}>
      Save
    </Button>
  </Group>
);

function Deletion() {
  const { organizationId: id, name } = useOrganization();
  const navigate = useNavigate();
  const remove = useAction(() => purser.organizations.delete({ id }), {
    done: `${name} is deleted`,
    invalidates: [queries.me.get],
    next() {
      letGo();
      return navigate({ to: "/" });
    },
  });
  const ask = async () => {
    const agreed = await confirm({
      title: `Delete ${name}?`,
      children:
        "Nobody can open it any more. Its transactions and its audit trail stay on record. This cannot be undone.",
      action: "Delete the organization",
    });
    if (agreed) remove.mutate();
  };
  return (
    <Card withBorder component="section" aria-label="Delete the organization">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          Delete the organization
        </Title>
        <Text size="sm" c="dimmed">
          Close its cards, disconnect its banks and let its subscription end first.
        </Text>
        <Button color="red" variant="light" onClick={() => void ask()} loading={remove.isPending}>
          Delete the organization
        </Button>
      </Stack>
    </Card>
  );
}
