import { Alert, Button, Checkbox, Group, List, Modal, Select, Stack } from "@mantine/core";
import type { BankAccount } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Problem } from "../../../components/problem.tsx";
import { useAction } from "../../../data/action.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatMoney } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { shortNumber } from "./-banks.ts";

interface MergeProps {
  opened: boolean;
  onClose: () => void;
  accounts: readonly BankAccount[];
  /** The account that is chosen to end. */
  from?: string;
}

/** Merges an account that was linked twice. Asks for both, and says what follows. */
export function MergeAccounts({ opened, onClose, ...props }: MergeProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Merge two accounts" size="lg">
      <MergeForm {...props} onClose={onClose} />
    </Modal>
  );
}

function MergeForm({ onClose, accounts, from = "" }: Omit<MergeProps, "opened">) {
  const { organizationId } = useOrganization();
  const navigate = useNavigate();
  const [accountId, setAccountId] = useState<string | null>(from || null);
  const [intoAccountId, setIntoAccountId] = useState<string | null>(null);
  const [isSure, setIsSure] = useState(false);
  const ends = accounts.find(({ id }) => id === accountId);
  const continues = accounts.find(({ id }) => id === intoAccountId);
  const { banking, cards } = queries;
  const merge = useAction(
    (chosen: { accountId: string; intoAccountId: string }, attempt) =>
      purser.banking.accounts.merge({ teamId: organizationId, ...chosen }, attempt),
    {
      done: "The accounts are merged",
      invalidates: [banking.accounts.list, banking.transactions.list, banking.reports.balances, cards.list],
      onDone: onClose,
      next: ({ id }) =>
        navigate({
          to: "/$organizationId/accounts/$accountId",
          params: { organizationId, accountId: id },
        }),
    },
  );
  return (
    <Stack>
      <Select
        label="Account that ends"
        placeholder="Choose an account"
        data={accounts.map(toOption)}
        value={accountId}
        onChange={(chosen) => {
          setAccountId(chosen);
          setIntoAccountId(null);
          setIsSure(false);
        }}
        searchable
      />
      <ContinuingAccount
        ends={ends}
        value={intoAccountId}
        onChange={(chosen) => {
          setIntoAccountId(chosen);
          setIsSure(false);
        }}
      />
      {ends !== undefined && continues !== undefined && <Consequences ends={ends} continues={continues} />}
      <Checkbox
        label="These two are the same account. I understand that nobody can undo a merge."
        disabled={continues === undefined}
        checked={isSure}
        onChange={({ currentTarget }) => setIsSure(currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red"
          disabled={!isSure || ends === undefined || continues === undefined}
          loading={merge.isPending}
          onClick={() => merge.mutate({ accountId: ends?.id ?? "", intoAccountId: continues?.id ?? "" })}
        >
          Merge the accounts
        </Button>
      </Group>
    </Stack>
  );
}

/** Asks for one of the accounts that another one can be merged into. */
function ContinuingAccount({
  ends,
  value,
  onChange,
}: {
  ends: BankAccount | undefined;
  value: string | null;
  onChange: (accountId: string | null) => void;
}) {
  const { organizationId } = useOrganization();
  const others = useQuery({
    ...queries.banking.accounts.list.queryOptions({
      teamId: organizationId,
      ...(ends !== undefined && { mergeableAccountId: ends.id }),
    }),
    enabled: ends !== undefined,
  });
  const failed = failedQuery(others);
  return (
    <>
      <Select
        label="Account that continues"
        placeholder={ends === undefined ? "First choose the other one" : "Choose an account"}
        nothingFoundMessage={
          others.isPending
            ? "Loading accounts"
            : failed !== undefined
              ? "The accounts could not be read"
              : "It can be merged into no other account"
        }
        disabled={ends === undefined}
        data={(others.data ?? []).map(toOption)}
        value={value}
        onChange={onChange}
        searchable
      />
      {failed !== undefined && <Problem error={failed.error} retry={failed.refetch} />}
    </>
  );
}

/** What a merge does, before a person agrees to it. */
function Consequences({ ends, continues }: { ends: BankAccount; continues: BankAccount }) {
  return (
    <Alert color="orange" title="What follows">
      <List size="sm" spacing={4}>
        <List.Item>
          All transactions of {ends.accountName} move to {continues.accountName}. Duplicates collapse into
          one.
        </List.Item>
        <List.Item>
          Cards that {ends.accountName} funds are funded by {continues.accountName}.
        </List.Item>
        <List.Item>
          {continues.accountName} keeps its bank connection and its balance of{" "}
          {formatMoney(continues.balance, continues.currency)}. {ends.accountName} disappears.
        </List.Item>
        <List.Item>
          At the next sync, moved transactions that the bank does not list wait for your decision.
        </List.Item>
      </List>
    </Alert>
  );
}

const toOption = ({ id, accountName, accountNumber, balance, currency }: BankAccount) => ({
  value: id,
  label: `${accountName} ${shortNumber(accountNumber)} · ${formatMoney(balance, currency)}`,
});
