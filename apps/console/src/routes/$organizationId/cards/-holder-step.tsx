import { Select, Stack, TextInput } from "@mantine/core";
import { type BankAccount, type BankAccountType, maxLengthOf } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Empty } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatMoney } from "../../../data/format.ts";
import { allAccounts, isConnected } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purposeNames } from "./-card-parts.tsx";
import { useMemberOptions } from "./-member-options.ts";
import type { NewCardForm } from "./-new-card.ts";

export function HolderStep({ form }: { form: NewCardForm }) {
  const { organizationId } = useOrganization();
  const members = useMemberOptions();
  const accounts = useQuery(allAccounts(organizationId));
  const failed = failedQuery(members, accounts);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (members.data === undefined || accounts.data === undefined) return <Rows count={4} />;
  // The service issues no card that a disconnected bank would pay for. An account that its bank does not list may be closed.
  const usable = accounts.data.filter(isConnected);
  if (usable.length === 0)
    return (
      <Empty title="Connect a bank first">
        A card is paid from a bank account.{" "}
        <TextLink
          inherit
          underline="always"
          to="/$organizationId/accounts/connect"
          params={{ organizationId }}
        >
          Connect a bank
        </TextLink>
      </Empty>
    );
  return (
    <Stack mt="md">
      <Select
        label="Holder"
        placeholder="Choose a member"
        description="Only the holder can see the card’s number."
        searchable
        allowDeselect={false}
        data={members.data}
        {...form.getInputProps("assignedToId")}
      />
      <Select
        label="Paid from"
        placeholder="Choose an account"
        description="The account determines the card’s currency."
        searchable
        allowDeselect={false}
        data={accountGroups(usable)}
        {...form.getInputProps("fundingAccountId")}
        onChange={(value) => {
          const account = usable.find(({ id }) => id === value);
          form.setValues({ fundingAccountId: value ?? "", currency: account?.currency ?? "" });
        }}
      />
      <TextInput
        label="Name"
        placeholder="Such as Travel"
        maxLength={maxLengthOf("cards.create.nickname")}
        {...form.getInputProps("nickname")}
      />
      <Select
        label="Purpose"
        description="A label. It restricts nothing."
        allowDeselect={false}
        data={Object.entries(purposeNames).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps("purpose")}
      />
    </Stack>
  );
}

/** The kinds of accounts, those first that mostly pay for cards. */
const kinds: Record<BankAccountType, string> = {
  CHECKING: "Checking accounts",
  SAVINGS: "Savings accounts",
  INVESTMENT: "Investment accounts",
  CREDIT: "Credit cards and loans",
};

function accountGroups(accounts: readonly BankAccount[]) {
  return Object.entries(kinds).map(([kind, group]) => ({
    group,
    items: accounts
      .filter(({ type }) => type === kind)
      .map(({ id, accountName, balance, currency }) => ({
        value: id,
        label: `${accountName} (${formatMoney(balance, currency)})`,
      })),
  }));
}
