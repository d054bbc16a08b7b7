import { Drawer, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { BankTransaction } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Facts } from "../../../components/facts.tsx";
import { TextLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Status } from "../../../components/status.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { categoryInWords, formatDay } from "../../../data/format.ts";
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
  const failed = failedQuery(transaction);
  return (
    <Drawer
      opened={transactionId !== undefined}
      onClose={onClose}
      position="right"
      title="Transaction"
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : transaction.data === undefined ? (
        <Skeleton h={240} />
      ) : (
        <Details key={transaction.data.id} transaction={transaction.data} />
      )}
    </Drawer>
  );
}

function Details({ transaction }: { transaction: BankTransaction }) {
  const { organizationId, can } = useOrganization();
  const { account } = transaction;
  const link = (
    <TextLink
      inherit
      to="/$organizationId/accounts/$accountId"
      params={{ organizationId, accountId: account.id }}
    >
      {account.accountName}
    </TextLink>
  );
  const facts = [
    ["Date", formatDay(transaction.transactionDate)],
    ["Description", transaction.description],
    ["Direction", transaction.type === "CREDIT" ? "Money in" : "Money out"],
    ["Account", link],
    ...(can("banking.transactions.update")
      ? []
      : ([
          ["Category", transaction.category === null ? noCategory : categoryInWords(transaction.category)],
          ["Note", transaction.note ?? "None"],
        ] as const)),
  ] as const;
  return (
    <Stack>
      <div>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={3} size="h4">
            {titleOfTransaction(transaction)}
          </Title>
          <Status status={transaction.status} />
        </Group>
        <Text fz={28} fw={650} style={{ fontVariantNumeric: "tabular-nums" }}>
          {signedAmount(transaction)}
        </Text>
      </div>
      <Facts facts={facts} />
      {can("banking.transactions.update") && <OwnFields transaction={transaction} />}
    </Stack>
  );
}
