import { NumberInput, Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { decimalsOf } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "../../../data/action.tsx";
import { formatDay, formatMoney, parseMoney } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { Control } from "./-control.tsx";

/** Lets a bank of the sandbox change what it has booked, or take it back. Real banks should not, and some do. */
export function BankCorrections({ connectionOf }: { connectionOf: ReadonlyMap<string, string> }) {
  const { organizationId: teamId } = useOrganization();
  const booked = useQuery(
    queries.banking.transactions.list.queryOptions({ teamId, status: "POSTED", limit: 50 }),
  );
  const items = booked.data?.filter(({ accountId }) => connectionOf.has(accountId)) ?? [];
  const form = useForm<{ transactionId: string; change: "amount" | "remove"; amount: string | number }>({
    initialValues: { transactionId: "", change: "amount", amount: 19.5 },
  });
  const { transactionId, change, amount } = form.values;
  const chosen = items.find(({ id }) => id === transactionId) ?? items[0];
  const currency = chosen?.currency ?? "EUR";
  const correct = useAction(
    () => {
      const target = {
        teamId,
        connectionId: connectionOf.get(chosen?.accountId ?? "") ?? "",
        bankTransactionId: chosen?.id ?? "",
      };
      return change === "remove"
        ? purser.sandbox.banking.removeTransaction(target)
        : purser.sandbox.banking.changeTransaction({ ...target, amount: parseMoney(amount, currency) ?? 0 });
    },
    {
      done: "The bank has it. What contradicts your transactions waits for your decision.",
      invalidates: [queries.banking.transactions.list, queries.banking.quarantine.list],
      form,
    },
  );
  if (items.length === 0) return null;
  return (
    <Control
      title="Change what is booked"
      hint="What contradicts your transactions must be reviewed."
      action="Change at the bank"
      isPending={correct.isPending}
      onSubmit={() => correct.mutate()}
    >
      <Select
        label="Booked transaction"
        searchable
        allowDeselect={false}
        data={items.map(({ id, description, transactionDate, amount: value, currency: own }) => ({
          value: id,
          label: `${formatDay(transactionDate)}, ${description}, ${formatMoney(value, own)}`,
        }))}
        value={chosen?.id ?? null}
        onChange={(value) => form.setFieldValue("transactionId", value ?? "")}
      />
      <Select
        label="Correction"
        allowDeselect={false}
        data={[
          { value: "amount", label: "Another amount" },
          { value: "remove", label: "It is gone" },
        ]}
        {...form.getInputProps("change")}
      />
      {change === "amount" && (
        <NumberInput
          label="New amount"
          min={0}
          suffix={` ${currency}`}
          decimalScale={decimalsOf(currency)}
          {...form.getInputProps("amount")}
        />
      )}
    </Control>
  );
}
