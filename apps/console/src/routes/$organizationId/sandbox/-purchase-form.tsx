import { NumberInput, Select, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { CardTransaction } from "@purser/client";
import { moneyInput } from "../../../components/money-input.tsx";
import { useAction } from "../../../data/action.tsx";
import { reasonInWords } from "../../../data/card-labels.ts";
import { formatMoney, inWords, parseMoney, problemOfMoney } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { Control } from "./-control.tsx";
import { useNewest } from "./-newest.ts";

const messages = {
  clear: { label: "Clear it: the merchant takes the money", button: "Clear" },
  increment: { label: "Ask to hold more, as a hotel does", button: "Ask for more" },
  reverse: { label: "Release the hold, or a part of it", button: "Release" },
  expire: { label: "Let the hold expire", button: "Expire" },
  refund: { label: "Refund what was cleared", button: "Refund" },
} as const;

type Message = keyof typeof messages;

const cards = purser.sandbox.cards;

interface PurchaseValues {
  transactionId: string;
  message: Message;
  /** In major units. Empty for all of it. */
  amount: string | number;
}

// A hold that was released or has expired counts as declined, which nobody would call it here.
const stateOf = ({ status, declineReason }: Pick<CardTransaction, "status" | "declineReason">): string =>
  declineReason === null ? inWords(status) : reasonInWords(declineReason).title;

/** What a merchant does with a purchase after it was approved. */
export function PurchaseForm({ purchases }: { purchases: readonly CardTransaction[] }) {
  const { organizationId } = useOrganization();
  const currencyOf = (id: string) => purchases.find((purchase) => purchase.id === id)?.currency ?? "EUR";
  const start: PurchaseValues = {
    transactionId: purchases[0]?.id ?? "",
    message: purchases[0]?.status === "COMPLETED" ? "refund" : "clear",
    amount: "",
  };
  const form = useForm({
    initialValues: start,
    validate: {
      amount: (amount, { transactionId: id, message: kind }) =>
        kind === "expire" || (kind !== "increment" && amount === "")
          ? null
          : problemOfMoney(amount, currencyOf(id)),
    },
  });
  useNewest(form, start);
  const { transactionId, message } = form.values;
  const send = useAction(
    ({ message: kind, amount: entered }: PurchaseValues, attempt) => {
      const purchase = { organizationId, transactionId };
      const amount = parseMoney(entered, currencyOf(transactionId));
      const part = amount === null ? {} : { amount };
      if (kind === "expire") return cards.expire(purchase, attempt);
      if (kind === "increment") return cards.increment({ ...purchase, amount: amount ?? 0 }, attempt);
      return cards[kind]({ ...purchase, ...part }, attempt);
    },
    {
      done: ({ amount, currency, status, declineReason }) =>
        `${stateOf({ status, declineReason })}: ${formatMoney(amount, currency)}`,
      form,
      onDone: (_, sent) => form.resetDirty(sent),
      invalidates: [queries.cards.list, queries.cards.transactions.list, queries.cards.reports.spending],
    },
  );
  return (
    <Control
      title="What the merchant does next"
      action={messages[message].button}
      isPending={send.isPending}
      onSubmit={form.onSubmit((values) => send.mutate(values))}
    >
      {purchases.length === 0 ? (
        <Text c="dimmed">Buy something first.</Text>
      ) : (
        <>
          <Select
            label="Purchase"
            searchable
            allowDeselect={false}
            data={purchases.map((purchase) => ({
              value: purchase.id,
              label: `${purchase.merchantName}, ${formatMoney(purchase.amount, purchase.currency)}, ${stateOf(purchase)}`,
            }))}
            {...form.getInputProps("transactionId")}
          />
          <Select
            label="Message"
            allowDeselect={false}
            data={Object.entries(messages).map(([value, { label }]) => ({ value, label }))}
            {...form.getInputProps("message")}
          />
          {message !== "expire" && (
            <NumberInput
              label={message === "increment" ? "Additional amount" : "Amount (empty for all)"}
              {...moneyInput(currencyOf(transactionId))}
              {...form.getInputProps("amount")}
            />
          )}
        </>
      )}
    </Control>
  );
}
