import { Alert, Button, Divider, Group, Modal, Stack, Text } from "@mantine/core";
import type { BankConnectionHealth } from "@purser/client";
import { IconCircleCheck } from "@tabler/icons-react";
import { DateTime } from "../../../components/date-time.tsx";
import { useAction } from "../../../data/action.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import type { ConnectedBank } from "./-banks.ts";

const { connections } = queries.banking;

/** Says what it means to confirm a consent, confirms it, and shows until when that holds. */
export function ConsentDialog({
  bank: { connection, health, name },
  isOpen,
  onClose,
  onReconnect,
  isReconnecting,
}: {
  bank: ConnectedBank;
  isOpen: boolean;
  onClose: () => void;
  onReconnect: () => void;
  isReconnecting: boolean;
}) {
  const { organizationId: teamId } = useOrganization();
  const confirm = useAction(
    () => purser.banking.connections.reconfirm({ teamId, connectionId: connection.id }),
    { invalidates: [connections.list, connections.health] },
  );
  const close = () => {
    confirm.reset();
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={`Confirm the consent for ${name}`}>
      <Stack>
        {confirm.data === undefined ? (
          <Text size="sm">
            You tell {name} that Purser may go on reading your accounts and transactions. You stay here: there
            is no visit to the bank, and nothing else changes.
          </Text>
        ) : (
          health !== undefined && <Confirmed health={health} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {confirm.data === undefined ? "Cancel" : "Close"}
          </Button>
          {confirm.data === undefined && (
            <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
              Confirm
            </Button>
          )}
        </Group>
        <Divider />
        <Text size="sm" c="dimmed">
          Does the bank ask you to sign in, or do you want to choose other accounts? Then give a new consent
          on its page.
        </Text>
        <Group justify="flex-end">
          <Button variant="subtle" loading={isReconnecting} onClick={onReconnect}>
            Reconnect at the bank
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** What comes next. The health is that of after the confirmation: the action reads it before it has worked. */
function Confirmed({ health: { deadline, deadlineKind } }: { health: BankConnectionHealth }) {
  const day = <DateTime at={deadline} dateOnly />;
  return (
    <Alert color="green" icon={<IconCircleCheck size={18} />} title="The consent is confirmed" role="status">
      <Text size="sm">
        {deadlineKind === "CONFIRMATION_DUE" ? (
          <>Confirm it again by {day}.</>
        ) : (
          <>The bank lets Purser read until {day}. Reconnect at the bank before that day.</>
        )}
      </Text>
    </Alert>
  );
}
