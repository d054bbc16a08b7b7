import { Drawer, Group, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import type { BankTransaction } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { TextLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Status } from "../../../components/status.tsx";
import { formatDay, inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { OwnFields } from "./-own-fields.tsx";
import { noCategory, signedAmount, titleOfTransaction } from "./-row.tsx";

/** A transaction beside the list, with the category and the note that an owner may set. */
export function TransactionDetails({
  transactionId,
  onClose,
}: {
  transactionId: string | undefined;
  onClose: () => void;
}) {
  const { organizationId } = useOrganization();
  const transaction = useQuery({
    ...queries.banking.transactions.get.queryOptions({
      teamId: organizationId,
      transactionId: transactionId ?? "",
    }),
    enabled: transactionId !== undefined,
  });
  return (
    <Drawer
      opened={transactionId !== undefined}
      onClose={onClose}
      position="right"
      title="Transaction"
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {transaction.error !== null ? (
        <Problem error={transaction.error} retry={() => transaction.refetch()} />
      ) : transaction.data === undefined ? (
        <Skeleton h={240} />
      ) : (
        <Details key={transaction.data.id} transaction={transaction.data} />
      )}
    </Drawer>
  );
}

function Details({ transaction }: { transaction: BankTransaction }) {
  const { organizationId, isOwner } = useOrganization();
  const { account } = transaction;
  return (
    <Stack>
      <div>
        <Title order={3}>{titleOfTransaction(transaction)}</Title>
        <Group gap="sm" mt={4}>
          <Text fz={24} fw={650} style={{ fontVariantNumeric: "tabular-nums" }}>
            {signedAmount(transaction)}
          </Text>
          <Status status={transaction.status} />
        </Group>
      </div>
      <Table variant="vertical" layout="fixed" withRowBorders={false}>
        <Table.Tbody>
          <Fact name="Date">{formatDay(transaction.transactionDate)}</Fact>
          <Fact name="Description">{transaction.description}</Fact>
          <Fact name="Direction">{transaction.type === "CREDIT" ? "Money in" : "Money out"}</Fact>
          <Fact name="Account">
            <TextLink
              inherit
              to="/$organizationId/accounts/$accountId"
              params={{ organizationId, accountId: account.id }}
            >
              {account.accountName}
            </TextLink>
          </Fact>
          {!isOwner && (
            <>
              <Fact name="Category">
                {transaction.category === null ? noCategory : inWords(transaction.category)}
              </Fact>
              <Fact name="Note">{transaction.note ?? "None"}</Fact>
            </>
          )}
        </Table.Tbody>
      </Table>
      {isOwner && <OwnFields transaction={transaction} />}
    </Stack>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <Table.Tr>
    <Table.Th w={120}>{name}</Table.Th>
    <Table.Td style={{ overflowWrap: "anywhere" }}>{children}</Table.Td>
  </Table.Tr>
);
