import { Checkbox, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { BankAccount } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Empty } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/links.tsx";
import { moneyInput } from "../../../components/money-input.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatMoney, parseMoney, problemOfMoney } from "../../../data/format.ts";
import { allAccounts, allConnections } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { BankCorrections } from "./-bank-corrections.tsx";
import { Control } from "./-control.tsx";

/** Lets a bank of the sandbox book something, and post what is pending. */
export function BankTransactions() {
  const { organizationId: teamId } = useOrganization();
  const accounts = useQuery(allAccounts(teamId));
  const connections = useQuery(allConnections(teamId));
  const failed = failedQuery(accounts, connections);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (accounts.data === undefined || connections.data === undefined) return <Rows />;
  const played = new Set(
    connections.data
      .filter(({ provider, status }) => provider === "sandbox" && status === "ACTIVE")
      .map(({ id }) => id),
  );
  const own = accounts.data.filter(({ connectionId }) => played.has(connectionId));
  if (own.length === 0)
    return (
      <Empty title="Connect a bank of the sandbox first">
        <TextLink
          inherit
          underline="always"
          to="/$organizationId/accounts/connect"
          params={{ organizationId: teamId }}
        >
          Connect a bank
        </TextLink>
      </Empty>
    );
  const connectionOf = new Map(own.map(({ id, connectionId }) => [id, connectionId]));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: "start" }}>
      <BookForm accounts={own} />
      <Stack>
        <PostForm connectionOf={connectionOf} />
        <BankCorrections connectionOf={connectionOf} />
      </Stack>
    </SimpleGrid>
  );
}

interface BookValues {
  accountId: string;
  /** In major units. */
  amount: string | number;
  type: "DEBIT" | "CREDIT";
  description: string;
  pending: boolean;
}

function BookForm({ accounts }: { accounts: readonly BankAccount[] }) {
  const { organizationId: teamId } = useOrganization();
  const currencyOf = (accountId: string) => accounts.find(({ id }) => id === accountId)?.currency ?? "EUR";
  const form = useForm<BookValues>({
    initialValues: {
      accountId: accounts[0]?.id ?? "",
      amount: 25,
      type: "DEBIT",
      description: "OFFICE SUPPLIES",
      pending: false,
    },
    validate: { amount: (amount, { accountId }) => problemOfMoney(amount, currencyOf(accountId)) },
  });
  const account = accounts.find(({ id }) => id === form.values.accountId);
  const currency = currencyOf(form.values.accountId);
  const book = useAction(
    ({ amount, ...values }: typeof form.values, attempt) =>
      purser.sandbox.banking.addTransaction(
        {
          ...values,
          teamId,
          connectionId: account?.connectionId ?? "",
          amount: parseMoney(amount, currency) ?? 0,
        },
        attempt,
      ),
    { done: "The bank has it. It appears here with the next sync, in a moment.", form },
  );
  return (
    <Control
      title="Let the bank book"
      action="Book"
      isPending={book.isPending}
      onSubmit={form.onSubmit((values) => book.mutate(values))}
    >
      <Select
        label="Account"
        searchable
        allowDeselect={false}
        data={accounts.map(({ id, accountName, currency: own }) => ({
          value: id,
          label: `${accountName} (${own})`,
        }))}
        {...form.getInputProps("accountId")}
      />
      <SimpleGrid cols={2}>
        <NumberInput label="Amount" {...moneyInput(currency)} {...form.getInputProps("amount")} />
        <Select
          label="Direction"
          allowDeselect={false}
          data={[
            { value: "DEBIT", label: "Money out" },
            { value: "CREDIT", label: "Money in" },
          ]}
          {...form.getInputProps("type")}
        />
      </SimpleGrid>
      <TextInput label="Description" {...form.getInputProps("description")} />
      <Checkbox label="Pending: not booked yet" {...form.getInputProps("pending", { type: "checkbox" })} />
    </Control>
  );
}

function PostForm({ connectionOf }: { connectionOf: ReadonlyMap<string, string> }) {
  const { organizationId: teamId } = useOrganization();
  const pending = useQuery(
    queries.banking.transactions.list.queryOptions({ teamId, status: "PENDING", limit: 50 }),
  );
  const items = pending.data?.filter(({ accountId }) => connectionOf.has(accountId)) ?? [];
  const form = useForm({ initialValues: { transactionId: "" } });
  const chosen = items.find(({ id }) => id === form.values.transactionId) ?? items[0];
  const act = useAction(
    () =>
      purser.sandbox.banking.postTransaction({
        teamId,
        connectionId: connectionOf.get(chosen?.accountId ?? "") ?? "",
        bankTransactionId: chosen?.id ?? "",
      }),
    {
      done: "The bank has booked it",
      invalidates: [queries.banking.transactions.list],
      onDone: () => form.reset(),
    },
  );
  return (
    <Control
      title="Post what is pending"
      hint="The bank books it under a new id, as real banks do."
      action="Post"
      isPending={act.isPending}
      onSubmit={() => chosen !== undefined && act.mutate()}
    >
      {items.length === 0 ? (
        <Text c="dimmed">Nothing is pending. Book something as pending first.</Text>
      ) : (
        <Select
          label="Pending transaction"
          searchable
          allowDeselect={false}
          data={items.map(({ id, description, amount, currency }) => {
            return { value: id, label: `${description}, ${formatMoney(amount, currency)}` };
          })}
          value={chosen?.id ?? null}
          onChange={(value) => form.setFieldValue("transactionId", value ?? "")}
        />
      )}
    </Control>
  );
}
