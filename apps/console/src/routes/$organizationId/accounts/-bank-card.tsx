import { ActionIcon, Alert, Avatar, Button, Card, Group, Menu, Stack, Text, Title } from "@mantine/core";
import type { BankAccount, BankConnectionHealth } from "@purser/client";
import { useDisclosure } from "@mantine/hooks";
import { IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Amount } from "../../../components/amount.tsx";
import { confirm } from "../../../components/confirm.tsx";
import { DateTime, Distance } from "../../../components/date-time.tsx";
import { Status } from "../../../components/status.tsx";
import { useAction } from "../../../data/action.tsx";
import { inWords } from "../../../data/format.ts";
import { isConnected } from "../../../data/lists.ts";
import { useNow } from "../../../data/now.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { type ConnectedBank, nameForInitials, sentenceOfSync, shortNumber, troubleOf } from "./-banks.ts";
import classes from "./-accounts.module.css";
import { useConsentPage } from "./-consent.ts";
import { ConsentDialog } from "./-consent-dialog.tsx";

/** A connected bank: how it is, what may be done about it, and its accounts. */
export function BankCard({ bank, accounts }: { bank: ConnectedBank; accounts: readonly BankAccount[] }) {
  const { can } = useOrganization();
  const { connection, health, name, logoUrl } = bank;
  const [isConfirming, confirming] = useDisclosure();
  const renew = useConsentPage();
  const reconnect = () => renew.mutate({ connectionId: connection.id });
  const trouble = health && troubleOf(health);
  const isDisconnected = connection.status === "DISCONNECTED";
  return (
    <Card withBorder component="section" aria-label={name} p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group wrap="nowrap" gap="sm" miw={0} align="flex-start">
          <Avatar src={logoUrl} alt="" name={nameForInitials(name)} color="purser" radius="md" />
          <div>
            <Group gap="xs">
              <Title order={2} size="h4">
                {name}
              </Title>
              <Status status={health?.status ?? connection.status} />
            </Group>
            {health && <HealthLine health={health} />}
          </div>
        </Group>
        <BankMenu bank={bank} onReconnect={reconnect} isReconnecting={renew.isPending} />
      </Group>
      {health !== undefined &&
        !isDisconnected &&
        (health.canReconfirm || health.status !== "needs_reauthorization") && (
          <ConsentLine health={health} onConfirm={confirming.open} />
        )}
      <ConsentDialog
        bank={bank}
        isOpen={isConfirming}
        onClose={confirming.close}
        onReconnect={reconnect}
        isReconnecting={renew.isPending}
      />
      {trouble && (
        <Alert color={health.status === "failing" ? "orange" : "red"} title={trouble.title} mt="md">
          <Group justify="space-between">
            <Text size="sm">{trouble.advice}</Text>
            {can("banking.link.create") && health.status === "needs_reauthorization" && (
              <Button size="xs" loading={renew.isPending} onClick={reconnect}>
                Reconnect
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <Stack gap={0} mt="sm" component="ul" className={classes.list}>
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} />
        ))}
      </Stack>
    </Card>
  );
}

function HealthLine({ health }: { health: BankConnectionHealth }) {
  const now = useNow();
  if (health.status === "disconnected")
    return (
      <Text size="sm" c="dimmed">
        Not read any more. Its accounts and transactions stay.
      </Text>
    );
  const { lastSuccessAt, bankReadAt, nextSyncAt } = health;
  // Once it is due, its end comes as an event.
  const isAhead = nextSyncAt !== null && nextSyncAt > now;
  const isReadEarlier = lastSuccessAt !== null && bankReadAt !== null && bankReadAt < lastSuccessAt;
  return (
    <Text size="sm" c="dimmed">
      {lastSuccessAt === null ? "Not synced yet" : "Synced "}
      {lastSuccessAt !== null && <Distance at={lastSuccessAt} />}
      {isReadEarlier && " · bank read "}
      {isReadEarlier && <Distance at={bankReadAt} />}
      {isAhead && " · next "}
      {isAhead && <Distance at={nextSyncAt} />}
    </Text>
  );
}

function ConsentLine({ health, onConfirm }: { health: BankConnectionHealth; onConfirm: () => void }) {
  const { can } = useOrganization();
  const { deadline, deadlineKind, status } = health;
  return (
    <Group justify="space-between" gap="xs" mt="sm">
      {status !== "needs_reauthorization" && (
        <Text size="sm" c="dimmed">
          {deadlineKind === "CONFIRMATION_DUE" ? "Confirm your consent again by " : "Your consent ends on "}
          <DateTime at={deadline} dateOnly />
        </Text>
      )}
      {can("banking.connections.reconfirm") && health.canReconfirm && (
        <Button size="xs" variant="default" onClick={onConfirm}>
          Confirm now
        </Button>
      )}
    </Group>
  );
}

function AccountRow({ account }: { account: BankAccount }) {
  const { organizationId } = useOrganization();
  return (
    <li>
      <Link
        className={classes.account}
        to="/$organizationId/accounts/$accountId"
        params={{ organizationId, accountId: account.id }}
      >
        <span>
          {account.accountName}
          <Text size="xs" c="dimmed" component="span" display="block">
            {inWords(account.type)} {shortNumber(account.accountNumber)}
            {!account.isListed && " · No longer listed by the bank"}
          </Text>
        </span>
        <Amount
          value={account.balance}
          currency={account.currency}
          {...(!isConnected(account) && { c: "dimmed" })}
        />
      </Link>
    </li>
  );
}

function BankMenu({
  bank,
  onReconnect,
  isReconnecting,
}: {
  bank: ConnectedBank;
  onReconnect: () => void;
  isReconnecting: boolean;
}) {
  const { organizationId: teamId, can } = useOrganization();
  const { connection, health, name } = bank;
  const connectionId = connection.id;
  const { connections, syncs, accounts } = queries.banking;
  const sync = useAction(
    async () => {
      await purser.banking.connections.sync({ teamId, connectionId }, { timeoutMs: 60_000, retries: 0 });
      const [newest] = await purser.banking.syncs.list({ teamId, connectionId, limit: 1 });
      return newest;
    },
    {
      done: (newest) => sentenceOfSync(name, newest),
      invalidates: [connections.health, syncs.list, accounts.list],
    },
  );
  const disconnect = useAction(() => purser.banking.connections.disconnect({ teamId, connectionId }), {
    done: `${name} is disconnected`,
    invalidates: [connections.list, connections.health, accounts.list],
  });
  const canSync = health?.canSync === true;
  if (!canSync && !can("banking.link.create")) return null;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions for ${name}`}
          loading={sync.isPending || disconnect.isPending || isReconnecting}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canSync && <Menu.Item onClick={() => sync.mutate()}>Sync now</Menu.Item>}
        {can("banking.link.create") && (
          <Menu.Item onClick={onReconnect}>
            Reconnect at the bank
            <Text size="xs" c="dimmed">
              Sign in there again, or choose other accounts
            </Text>
          </Menu.Item>
        )}
        {can("banking.connections.disconnect") && connection.status === "ACTIVE" && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              onClick={() => void askToDisconnect(name).then((agreed) => agreed && disconnect.mutate())}
            >
              Disconnect
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const askToDisconnect = (name: string) =>
  confirm({
    title: `Disconnect ${name}?`,
    action: "Disconnect",
    children:
      "Purser revokes the consent, also at the bank, and reads nothing more. The accounts and their transactions stay. To connect the bank again, you need to sign in there.",
  });
