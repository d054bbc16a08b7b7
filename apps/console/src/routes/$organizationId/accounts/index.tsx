import { Alert, Button, Group, SimpleGrid, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { ButtonLink } from "../../../components/links.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { allAccounts, firstQuarantined, quarantineLimit } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { BankCard } from "./-bank-card.tsx";
import { useConnectedBanks } from "./-banks.ts";
import { MergeAccounts } from "./-merge.tsx";

export const Route = createFileRoute("/$organizationId/accounts/")({ component: Accounts });

function Accounts() {
  const { organizationId, can } = useOrganization();
  const [isMerging, merging] = useDisclosure();
  const accounts = useQuery(allAccounts(organizationId));
  const { banks, ...connected } = useConnectedBanks(organizationId);
  const failed = connected.failed ?? failedQuery(accounts);
  const connect = can("banking.link.create") && (
    <ButtonLink
      to="/$organizationId/accounts/connect"
      params={{ organizationId }}
      leftSection={<IconPlus size={16} />}
    >
      Connect a bank
    </ButtonLink>
  );
  return (
    <Page
      title="Accounts"
      actions={
        banks.length > 0 && (
          <>
            {can("banking.accounts.merge") && (accounts.data?.length ?? 0) > 1 && (
              <Button variant="default" onClick={merging.open}>
                Merge accounts
              </Button>
            )}
            {connect}
          </>
        )
      }
    >
      {can("banking.quarantine.list") && <QuarantineNotice />}
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : connected.isPending || accounts.data === undefined ? (
        <Rows count={3} height={160} />
      ) : banks.length === 0 ? (
        <Empty title="No bank is connected" action={connect}>
          {can("banking.link.create")
            ? "Connect a bank to see its accounts, balances and transactions here. Purser can read them, and cannot move money."
            : "An owner of the organization connects banks."}
        </Empty>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
          {banks.map((bank) => (
            <BankCard
              key={bank.connection.id}
              bank={bank}
              accounts={accounts.data.filter(({ connectionId }) => connectionId === bank.connection.id)}
            />
          ))}
        </SimpleGrid>
      )}
      <MergeAccounts opened={isMerging} onClose={merging.close} accounts={accounts.data ?? []} />
    </Page>
  );
}

/** Leads to the bank data that waits for a decision. */
function QuarantineNotice() {
  const { organizationId } = useOrganization();
  const entries = useQuery(firstQuarantined(organizationId));
  const failed = failedQuery(entries);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  const count = entries.data?.length ?? 0;
  if (count === 0) return null;
  const shown = count < quarantineLimit ? String(count) : `${quarantineLimit} or more`;
  return (
    <Alert color="orange" title="Some bank data needs your decision">
      <Group justify="space-between">
        <Text size="sm">
          {count === 1 ? "One entry contradicts" : `${shown} entries contradict`} your transactions or cannot
          be read.
        </Text>
        <ButtonLink
          size="xs"
          variant="default"
          to="/$organizationId/accounts/quarantine"
          params={{ organizationId }}
        >
          Review
        </ButtonLink>
      </Group>
    </Alert>
  );
}
