import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { QuarantinedBankData } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Amount } from "../../../components/amount.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatDay } from "../../../data/format.ts";
import { firstQuarantined } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";

export const Route = createFileRoute("/$organizationId/accounts/quarantine")({ component: Quarantine });

function Quarantine() {
  const { organizationId } = useOrganization();
  // A person who has decided on some sees the next ones.
  const entries = useQuery(firstQuarantined(organizationId));
  const failed = failedQuery(entries);
  return (
    <Page
      title="Bank data to review"
      description="What a bank reported that contradicts your transactions, or that cannot be read. Nothing of it counts until you accept it."
    >
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : entries.data === undefined ? (
        <Rows count={3} height={140} />
      ) : entries.data.length === 0 ? (
        <Empty title="Nothing to review">What the banks report agrees with your transactions.</Empty>
      ) : (
        entries.data.map((entry) => <Entry key={entry.id} entry={entry} />)
      )}
    </Page>
  );
}

interface ReasonWords {
  title: string;
  accept: string;
  /** What to say once it is done. */
  accepted: string;
  reject: string;
  rejected: string;
}

/** Also for a reason that this version of the console does not know. */
const anyReason: ReasonWords = {
  title: "The bank’s data needs a decision",
  accept: "Accept",
  accepted: "Accepted",
  reject: "Dismiss",
  rejected: "Dismissed",
};

const reasons: Record<string, ReasonWords> = {
  DIFFERENT_AMOUNT: {
    title: "The bank changed a booked transaction",
    accept: "Take the bank’s version",
    accepted: "The bank’s version counts now",
    reject: "Keep ours",
    rejected: "Your version stays",
  },
  MISSING_FROM_WINDOW: {
    title: "The bank no longer lists a booked transaction",
    accept: "Keep the transaction",
    accepted: "The transaction stays",
    reject: "Leave it out",
    rejected: "The transaction is left out",
  },
  UNREADABLE: { ...anyReason, title: "The bank’s data cannot be read" },
  UNKNOWN_ACCOUNT: {
    ...anyReason,
    title: "A transaction belongs to an account that the bank does not list",
  },
};

function Entry({ entry }: { entry: QuarantinedBankData }) {
  const { organizationId: teamId } = useOrganization();
  const { id, reason, transaction, problem, canAccept, firstSeenAt } = entry;
  const words = reasons[reason] ?? anyReason;
  const { quarantine, transactions, accounts, reports } = queries.banking;
  const resolve = useAction(
    (action: "accept" | "reject") => purser.banking.quarantine.resolve({ teamId, id, action }),
    {
      done: (_, action) => (action === "accept" ? words.accepted : words.rejected),
      invalidates: [quarantine.list, transactions.list, accounts.list, reports.balances],
    },
  );
  return (
    <Card withBorder component="section" aria-label={words.title}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {words.title}
          </Title>
          <Text size="sm" c="dimmed">
            First seen <DateTime at={firstSeenAt} />
          </Text>
        </div>
        <Group gap="xs">
          <Button variant="default" loading={resolve.isPending} onClick={() => resolve.mutate("reject")}>
            {words.reject}
          </Button>
          {canAccept && (
            <Button loading={resolve.isPending} onClick={() => resolve.mutate("accept")}>
              {words.accept}
            </Button>
          )}
        </Group>
      </Group>
      {problem !== null && <Text mt="sm">{problem}</Text>}
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt="md">
        {reason === "DIFFERENT_AMOUNT" && entry.transactionId !== null && (
          <Ours transactionId={entry.transactionId} />
        )}
        {transaction !== null && (
          <Version title={reason === "DIFFERENT_AMOUNT" ? "The bank now says" : "The transaction"}>
            {transaction}
          </Version>
        )}
      </SimpleGrid>
    </Card>
  );
}

function Ours({ transactionId }: { transactionId: string }) {
  const { organizationId: teamId } = useOrganization();
  const ours = useQuery(queries.banking.transactions.get.queryOptions({ teamId, transactionId }));
  const failed = failedQuery(ours);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  return ours.data === undefined ? <div /> : <Version title="In your transactions">{ours.data}</Version>;
}

type Transaction = NonNullable<QuarantinedBankData["transaction"]>;

function Version({ title, children }: { title: ReactNode; children: Transaction }) {
  const { type, amount, currency, description, transactionDate } = children;
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Text fw={650}>
        <Amount signed value={type === "DEBIT" ? -amount : amount} currency={currency} />
      </Text>
      <Text size="sm">{description}</Text>
      <Text size="sm" c="dimmed">
        {formatDay(transactionDate)}
      </Text>
    </Stack>
  );
}
