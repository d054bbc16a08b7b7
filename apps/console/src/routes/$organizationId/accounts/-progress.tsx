import { Button, Card, Group, Loader, Progress, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { BankSync } from "@purser/client";
import { IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Amount } from "../../../components/amount.tsx";
import { ButtonLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { type ConnectedBank, troubleOf, useConnectedBanks } from "./-banks.ts";

/** How often a running sync is read again. Its end comes as an event; that it has begun does not. */
const pollMs = 1000;

/** How far the newest sync of a connection is, until its transactions are there. */
export function SyncProgress({ connectionId }: { connectionId: string }) {
  const { organizationId: teamId } = useOrganization();
  const accounts = useQuery(queries.banking.accounts.list.queryOptions({ teamId, connectionId }));
  const { banks, ...connected } = useConnectedBanks(teamId);
  const syncs = useQuery({
    ...queries.banking.syncs.list.queryOptions({ teamId, connectionId, limit: 1 }),
    refetchInterval: ({ state }) => (isEnded(state.data?.[0]) ? false : pollMs),
  });
  const failed = connected.failed ?? failedQuery(accounts, syncs);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (accounts.data === undefined || syncs.data === undefined) return <Rows count={3} />;
  const [sync] = syncs.data;
  const bank = banks.find(({ connection }) => connection.id === connectionId);
  const { name } = bank ?? { name: "Your bank" };
  const count = accounts.data.length;
  return (
    <Card withBorder maw={640} component="section" aria-label={name} p="lg">
      <Title order={2} size="h3" mb="md">
        {name}
      </Title>
      <Stack gap="sm" component="ol" style={{ listStyle: "none", margin: 0, padding: 0 }} aria-live="polite">
        <Step state="done">Consent confirmed</Step>
        <Step state="done">{count === 1 ? "1 account" : `${count} accounts`} connected</Step>
        <SyncStep sync={sync} connectionId={connectionId} health={bank?.health} />
      </Stack>
      {!isEnded(sync) && <Progress value={100} animated mt="md" aria-label="Reading transactions" />}
      <Stack gap={4} mt="lg">
        {accounts.data.map(({ id, accountName, balance, currency }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text truncate>{accountName}</Text>
            <Amount value={balance} currency={currency} />
          </Group>
        ))}
      </Stack>
      <Group mt="lg">
        <ButtonLink
          to="/$organizationId/transactions"
          params={{ organizationId: teamId }}
          search={{ connectionId }}
        >
          See transactions
        </ButtonLink>
        <ButtonLink variant="default" to="/$organizationId/accounts" params={{ organizationId: teamId }}>
          All accounts
        </ButtonLink>
      </Group>
    </Card>
  );
}

function SyncStep({
  sync,
  connectionId,
  health,
}: Pick<ConnectedBank, "health"> & { sync: BankSync | undefined; connectionId: string }) {
  const { organizationId: teamId } = useOrganization();
  const again = useAction(() => purser.banking.connections.sync({ teamId, connectionId }), {
    invalidates: [queries.banking.syncs.list, queries.banking.accounts.list],
  });
  if (sync?.status === "SUCCEEDED")
    return <Step state="done">{sync.added.toLocaleString()} transactions added</Step>;
  if (sync?.status === "FAILED")
    return (
      <Step state="failed">
        {`The bank’s transactions could not be read. ${(health && troubleOf(health)?.advice) ?? ""} `}
        {health?.canSync === true && (
          <Button
            size="compact-sm"
            variant="default"
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            Try now
          </Button>
        )}
      </Step>
    );
  return (
    <Step state="busy">
      {sync === undefined || sync.status === "QUEUED"
        ? "Waiting to read transactions …"
        : "Reading transactions … You may leave this page."}
    </Step>
  );
}

function Step({ state, children }: { state: "done" | "busy" | "failed"; children: ReactNode }) {
  return (
    <Group component="li" gap="sm" wrap="nowrap">
      {state === "busy" ? (
        <Loader size={22} />
      ) : (
        <ThemeIcon size={22} radius="xl" color={state === "done" ? "green" : "red"}>
          {state === "done" ? <IconCheck size={14} /> : <IconX size={14} />}
        </ThemeIcon>
      )}
      <Text component="div">{children}</Text>
    </Group>
  );
}

const isEnded = (sync: BankSync | undefined): boolean =>
  sync?.status === "SUCCEEDED" || sync?.status === "FAILED";
