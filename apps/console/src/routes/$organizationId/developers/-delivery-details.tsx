import { Button, Drawer, Group, Stack, Text, Timeline, Title } from "@mantine/core";
import type { WebhookAttempt, WebhookDelivery } from "@purser/client";
import { IconCheck, IconX } from "@tabler/icons-react";
import { Copyable } from "../../../components/secret.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Status } from "../../../components/status.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import type { failedQuery } from "../../../data/failed-query.ts";
import { purser, queries } from "../../../data/purser.ts";

/** One event on its way to an endpoint: each attempt with its answer, and a way to send it again. */
export function DeliveryDetails({
  id,
  delivery,
  failed,
  urlOf,
  onClose,
}: {
  id: string | undefined;
  delivery: WebhookDelivery | undefined;
  failed: ReturnType<typeof failedQuery>;
  urlOf: (endpointId: string) => string;
  onClose: () => void;
}) {
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      title={delivery?.eventType ?? "Delivery"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {id === undefined ? null : failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : delivery === undefined ? (
        <Rows />
      ) : (
        <Details delivery={delivery} url={urlOf(delivery.endpointId)} />
      )}
    </Drawer>
  );
}

function Details({ delivery, url }: { delivery: WebhookDelivery; url: string }) {
  const { id, eventId, status, attempts, nextAttemptAt } = delivery;
  const redeliver = useAction(
    (_: void, attempt) => purser.webhookEndpoints.deliveries.redeliver({ id }, attempt),
    {
      done: "The event is on its way again",
      invalidates: [queries.webhookEndpoints.deliveries.list, queries.webhookEndpoints.deliveries.get],
    },
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Status status={status} />
        <Button size="xs" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
          Send it again
        </Button>
      </Group>
      <Text size="sm">To {url}</Text>
      <div>
        <Text size="sm" mb={4}>
          The endpoint gets it as <code>webhook-id</code>:
        </Text>
        <Copyable value={eventId} label="Event id" />
      </div>
      <Title order={3} size="h5">
        Attempts
      </Title>
      {attempts.length === 0 && (
        <Text size="sm">
          {status === "FAILED" ? "It was given up before it was sent." : "It has not been sent yet."}
        </Text>
      )}
      <Timeline bulletSize={22} lineWidth={2}>
        {attempts.toReversed().map((attempt) => (
          <Timeline.Item
            key={attempt.at.getTime()}
            color={attempt.isSuccess ? "green" : "red"}
            bullet={attempt.isSuccess ? <IconCheck size={14} /> : <IconX size={14} />}
            title={answerOf(attempt)}
          >
            <Text size="xs" c="dimmed">
              <DateTime at={attempt.at} /> · {attempt.durationMs} ms
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {nextAttemptAt !== null && (
        <Text size="sm" c="dimmed">
          The next attempt is due <DateTime at={nextAttemptAt} />.
        </Text>
      )}
    </Stack>
  );
}

const answerOf = ({ statusCode, error }: WebhookAttempt): string =>
  [statusCode !== null && `Answered ${statusCode}`, error]
    .filter((part) => typeof part === "string")
    .join(": ") || "No answer";
