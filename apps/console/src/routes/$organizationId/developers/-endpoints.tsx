import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty } from "../../../components/empty.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { allEndpoints } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { EndpointCard } from "./-endpoint-card.tsx";
import { EndpointDialog, SecretDialog } from "./-endpoint-dialog.tsx";

/** Where the events of the organization are sent. */
export function Endpoints({ onDeliveries }: { onDeliveries: (endpointId: string) => void }) {
  const { organizationId } = useOrganization();
  const endpoints = useQuery(allEndpoints(organizationId));
  const failed = failedQuery(endpoints);
  const [isCreating, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const create = (
    <Button leftSection={<IconWebhook size={16} />} onClick={open}>
      Add an endpoint
    </Button>
  );
  return (
    <>
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : endpoints.data === undefined ? (
        <Rows count={2} height={120} />
      ) : endpoints.data.length === 0 ? (
        <Empty title="There is no webhook endpoint" action={create}>
          Purser sends what happens here to an address of yours, signed, within a second.
        </Empty>
      ) : (
        <Stack>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              Purser sends events to these addresses, and signs each request.
            </Text>
            {create}
          </Group>
          {endpoints.data.map((endpoint) => (
            <EndpointCard
              key={endpoint.id}
              endpoint={endpoint}
              onDeliveries={() => onDeliveries(endpoint.id)}
              onSecret={setSecret}
            />
          ))}
        </Stack>
      )}
      <EndpointDialog isOpen={isCreating} onClose={close} onSecret={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}
