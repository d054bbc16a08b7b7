import { ActionIcon, Badge, Button, Card, Group, Menu, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { WebhookEndpoint } from "@purser/client";
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from "@tabler/icons-react";
import { Fragment } from "react";
import { confirm } from "../../../components/confirm.tsx";
import { Status } from "../../../components/status.tsx";
import { announceLostAnswer, useAction } from "../../../data/action.tsx";
import { undefinedIfApplied } from "../../../data/attempts.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useUnstoredSecret } from "../../../data/unsaved.ts";
import { EndpointDialog } from "./-endpoint-dialog.tsx";

interface EndpointProps {
  endpoint: WebhookEndpoint;
  onDeliveries: () => void;
  onSecret: (secret: string) => void;
}

/** How many types of events a card names before it counts the rest. */
const namedTypes = 6;

export function EndpointCard({ endpoint, onDeliveries, onSecret }: EndpointProps) {
  const { id, url, types, description, status, disabledReason } = endpoint;
  const test = useAction(() => purser.webhookEndpoints.test({ id }), {
    done: "The test event is on its way",
    invalidates: [queries.webhookEndpoints.list, queries.webhookEndpoints.deliveries.list],
    next: onDeliveries,
  });
  return (
    <Card withBorder component="article" aria-label={url}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Title order={2} size="h5">
              <Breakable url={url} />
            </Title>
            <Group gap="xs" mt={4}>
              <Status status={status} />
              {description !== null && (
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              )}
            </Group>
          </div>
          <EndpointMenu endpoint={endpoint} onSecret={onSecret} />
        </Group>
        {disabledReason !== null && <Text size="sm">Nothing is sent: {disabledReason}</Text>}
        <Group gap={6}>
          {types.length === 0 && <TypeBadge>All events</TypeBadge>}
          {types.slice(0, namedTypes).map((type) => (
            <TypeBadge key={type}>{type}</TypeBadge>
          ))}
          {types.length > namedTypes && <TypeBadge>{`and ${types.length - namedTypes} more`}</TypeBadge>}
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Send a test event
          </Button>
          <Button size="xs" variant="default" onClick={onDeliveries}>
            Deliveries
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

/** An address that a narrow card breaks after a slash, where it can. */
const Breakable = ({ url }: { url: string }) =>
  url.split(/(?<=[^/]\/)(?!\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const TypeBadge = ({ children }: { children: string }) => (
  <Badge variant="default" tt="none" fw={450}>
    {children}
  </Badge>
);

function EndpointMenu({ endpoint, onSecret }: Omit<EndpointProps, "onDeliveries">) {
  const { url, status } = endpoint;
  const [isEditing, { open, close }] = useDisclosure();
  const { isBusy, enable, askToRotate, askToDisable, askToRemove } = useEndpointActions(endpoint, onSecret);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${url}`} loading={isBusy}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={open}>
            Change
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => void askToRotate()}>
            Replace the secret
          </Menu.Item>
          {status === "ENABLED" ? (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => void askToDisable()}>
              Disable
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={enable}>
              Enable
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void askToRemove()}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EndpointDialog endpoint={endpoint} isOpen={isEditing} onClose={close} />
    </>
  );
}

/** What an owner can do to an endpoint. What cannot be taken back asks first. */
function useEndpointActions(endpoint: WebhookEndpoint, onSecret: (secret: string) => void) {
  const { id, url } = endpoint;
  const invalidates = [queries.webhookEndpoints.list];
  const rotate = useAction(
    (_: void, attempt) => undefinedIfApplied(purser.webhookEndpoints.rotateSecret({ id }, attempt)),
    {
      invalidates,
      onDone: (rotated) =>
        rotated === undefined
          ? announceLostAnswer("The secret was replaced, but the new one was lost. Replace it again.")
          : onSecret(rotated.secret),
    },
  );
  useUnstoredSecret(rotate.isPending);
  const enable = useAction(() => purser.webhookEndpoints.update({ id, status: "ENABLED" }), {
    done: "Events are sent to the endpoint again",
    invalidates,
    undo: () => purser.webhookEndpoints.update({ id, status: "DISABLED" }),
  });
  const disable = useAction(() => purser.webhookEndpoints.update({ id, status: "DISABLED" }), {
    done: "Nothing is sent to the endpoint any more",
    invalidates,
  });
  const remove = useAction(() => purser.webhookEndpoints.delete({ id }), {
    done: "The endpoint is deleted",
    invalidates,
  });
  const askToRotate = async () => {
    const agreed = await confirm({
      title: "Replace the secret?",
      children: "For a time, requests are signed with both secrets, so that you can change over.",
      action: "Replace the secret",
    });
    if (agreed) rotate.mutate();
  };
  const askToDisable = async () => {
    const agreed = await confirm({
      title: "Disable the endpoint?",
      children: "What it has not received is given up, and what happens meanwhile is not sent later.",
      action: "Disable",
    });
    if (agreed) disable.mutate();
  };
  const askToRemove = async () => {
    const agreed = await confirm({
      title: "Delete the endpoint?",
      children: `${url} gets nothing any more, and its secret is gone.`,
      action: "Delete",
    });
    if (agreed) remove.mutate();
  };
  return {
    isBusy: [rotate, enable, disable, remove].some(({ isPending }) => isPending),
    enable: () => enable.mutate(),
    askToRotate,
    askToDisable,
    askToRemove,
  };
}
