import { Card, Group, Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Problem } from "../../../components/problem.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser } from "../../../data/purser.ts";
import type { ReturnedConsent } from "./-connect-search.ts";
import { useProgressPage } from "./-consent.ts";

/** Connects the bank that the person comes back from. To connect again with a consent changes nothing. */
export function ConnectReturned({ consent }: { consent: ReturnedConsent }) {
  const { organizationId: teamId } = useOrganization();
  const showProgress = useProgressPage();
  const connection = useQuery({
    queryKey: ["connect", teamId, consent],
    queryFn: ({ signal }) =>
      purser.banking.connections.connect({ teamId, ...consent }, { signal, timeoutMs: 60_000 }),
    staleTime: Infinity,
  });
  const id = connection.data?.id;
  useEffect(() => {
    if (id !== undefined) void showProgress(id);
  }, [id]);
  const failed = failedQuery(connection);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  return (
    <Card withBorder role="status">
      <Group>
        <Loader size="sm" />
        <Text>The bank has confirmed your consent. Reading your accounts …</Text>
      </Group>
    </Card>
  );
}
