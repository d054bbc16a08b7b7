import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type OrganizationKey, referenceUrl } from "@purser/client";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { confirm } from "../../../components/confirm.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { PhoneRow } from "../../../components/phone-row.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { baseUrl } from "../../../data/base-url.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { isSoon } from "../../../data/format.ts";
import { allKeys } from "../../../data/lists.ts";
import { useNow } from "../../../data/now.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { KeyDialog } from "./-key-dialog.tsx";

const accessInWords = ({ access }: OrganizationKey): string =>
  access === "read" ? "Read" : "Read and write";

const columns: Column<OrganizationKey>[] = [
  {
    header: "Key",
    cell: (key) => <NameAndStart {...key} />,
  },
  { header: "Access", width: "130px", cell: accessInWords },
  { header: "Created", width: "120px", cell: ({ createdAt }) => <DateTime at={createdAt} dateOnly /> },
  {
    header: "Last used",
    width: "200px",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <DateTime at={lastUsedAt} />),
  },
  { header: "Expires", width: "250px", cell: (key) => <Expiry {...key} /> },
  {
    header: "Actions",
    width: "100px",
    align: "right",
    cell: (key) => isValid(key) && <RevokeButton {...key} />,
  },
];

/** The API keys of the organization. They stay in the list when they are revoked. */
export function OrganizationKeys() {
  const { organizationId } = useOrganization();
  const keys = useQuery(allKeys(organizationId));
  const failed = failedQuery(keys);
  const [isCreating, { open, close }] = useDisclosure();
  const create = (
    <Button leftSection={<IconKey size={16} />} onClick={open}>
      Create a key
    </Button>
  );
  return (
    <Stack>
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : keys.data === undefined ? (
        <Rows count={3} />
      ) : keys.data.length === 0 ? (
        <Empty title="There is no API key" action={create}>
          With a key, a program acts as a member of this organization. It keeps working when people leave. For
          a program that acts as you, create a key{" "}
          <Anchor underline="always" href="/account#keys">
            in your account
          </Anchor>
          .
        </Empty>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed" maw={720}>
              A program with such a key acts as a member of the organization. For a program that acts as you,
              create a key{" "}
              <Anchor underline="always" href="/account#keys">
                in your account
              </Anchor>
              . The{" "}
              <Anchor underline="always" href={referenceUrl(baseUrl)}>
                API reference
              </Anchor>{" "}
              says how to send it.
            </Text>
            {create}
          </Group>
          <DataTable
            label="API keys"
            rows={keys.data}
            rowKey={({ id }) => id}
            columns={columns}
            card={(key) => (
              <PhoneRow
                title={<NameAndStart {...key} />}
                beside={isValid(key) ? <RevokeButton {...key} /> : <Expiry {...key} />}
              >
                {accessInWords(key)} · {key.lastUsedAt === null ? "never used" : "last used "}
                {key.lastUsedAt !== null && <DateTime at={key.lastUsedAt} />} ·{" "}
                {key.expiresAt === null ? "never expires" : "expires "}
                {key.expiresAt !== null && <DateTime at={key.expiresAt} dateOnly />}
              </PhoneRow>
            )}
            rowHeight={58}
          />
        </>
      )}
      <KeyDialog isOpen={isCreating} onClose={close} />
    </Stack>
  );
}

const isExpired = ({ expiresAt }: OrganizationKey, now = new Date()): boolean =>
  expiresAt !== null && expiresAt <= now;
const isValid = (key: OrganizationKey): boolean => key.revokedAt === null && !isExpired(key);

function NameAndStart({ name, start }: OrganizationKey) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={550} truncate>
        {name}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace">
        {start}…
      </Text>
    </div>
  );
}

function Expiry(key: OrganizationKey) {
  const now = useNow();
  if (key.revokedAt !== null)
    return (
      <Badge variant="light" color="gray" tt="none">
        Revoked
      </Badge>
    );
  if (isExpired(key, now))
    return (
      <Badge variant="light" color="gray" tt="none">
        Expired
      </Badge>
    );
  return key.expiresAt === null ? "Never" : <DateTime at={key.expiresAt} dateOnly={!isSoon(key.expiresAt)} />;
}

function RevokeButton({ id, name }: OrganizationKey) {
  const revoke = useAction(() => purser.keys.revoke({ id }), {
    done: `The key “${name}” is revoked`,
    invalidates: [queries.keys.list],
  });
  const ask = async () => {
    const agreed = await confirm({
      title: `Revoke the key “${name}”?`,
      children: "Programs that use it are refused at once. This cannot be undone.",
      action: "Revoke",
    });
    if (agreed) revoke.mutate();
  };
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      aria-label={`Revoke the key ${name}`}
      loading={revoke.isPending}
      onClick={() => void ask()}
    >
      Revoke
    </Button>
  );
}
