import { NumberInput, Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { moneyInput } from "../../../components/money-input.tsx";
import { useAction } from "../../../data/action.tsx";
import { formatDay, formatMoney, parseMoney, problemOfMoney } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { Control } from "./-control.tsx";
import { useNewest } from "./-newest.ts";

interface CorrectionValues {
  transactionId: string;
  change: "amount" | "remove";
  /** In major units. */
  amount: string | number;
}

/** Lets a bank of the sandbox change what it has booked, or take it back. Real banks should not, and some do. */
export function BankCorrections({ connectionOf }: { connectionOf: ReadonlyMap<string, string> }) {
  const { organizationId: teamId } = useOrganization();
  const booked = useQuery(
    queries.banking.transactions.list.queryOptions({ teamId, status: "POSTED", limit: 50 }),
  );
  const items = booked.data?.filter(({ accountId }) => connectionOf.has(accountId)) ?? [];
  const chosenIn = ({ transactionId }: { transactionId: string }) =>
    items.find(({ id }) => id === transactionId) ?? items[0];
  const currencyOf = (values: { transactionId: string }) => chosenIn(values)?.currency ?? "EUR";
  const start: CorrectionValues = { transactionId: items[0]?.id ?? "", change: "amount", amount: 19.5 };
  const form = useForm({
    initialValues: start,
    validate: {
      amount: (amount, values) =>
        values.change === "remove" ? null : problemOfMoney(amount, currencyOf(values)),
    },
  });
  useNewest(form, start);
  const { change, amount } = form.values;
  const chosen = chosenIn(form.values);
  const currency = currencyOf(form.values);
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
      onDone: () => form.resetDirty(),
    },
  );
  if (items.length === 0) return null;
  return (
    <Control
      title="Change what is booked"
      hint="What contradicts your transactions must be reviewed."
      action="Change at the bank"
      isPending={correct.isPending}
      onSubmit={form.onSubmit(() => correct.mutate())}
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
        <NumberInput label="New amount" {...moneyInput(currency)} {...form.getInputProps("amount")} />
      )}
    </Control>
  );
}
