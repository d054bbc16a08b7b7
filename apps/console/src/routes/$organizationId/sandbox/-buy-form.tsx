import { Alert, NumberInput, Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import type { CardChannel, CardListItem, CardTransaction } from "@purser/client";
import { Link } from "@tanstack/react-router";
import { moneyInput } from "../../../components/money-input.tsx";
import { useAction } from "../../../data/action.tsx";
import { reasonInWords } from "../../../data/card-labels.ts";
import { formatMoney, inWords, lastDigits, parseMoney, problemOfMoney } from "../../../data/format.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useOrganization } from "../../../data/organization.ts";
import { cardName } from "../cards/-card-parts.tsx";
import { Control } from "./-control.tsx";
import { OneCategory } from "./-one-category.tsx";

const channels = [
  { value: "in_store", label: "In the store" },
  { value: "online", label: "Online" },
  { value: "atm", label: "At an ATM" },
];

interface BuyValues {
  cardId: string;
  /** In major units. */
  amount: string | number;
  name: string;
  category: string | null;
  country: string;
  channel: CardChannel;
}

/** Buys something: the sandbox's card network asks the service, which decides as for a real purchase. */
export function BuyForm({ cards }: { cards: readonly CardListItem[] }) {
  const currencyOf = (cardId: string) => cards.find(({ id }) => id === cardId)?.currency ?? "EUR";
  const form = useForm<BuyValues>({
    initialValues: {
      // One that can buy, if there is one.
      cardId: (cards.find(({ status }) => status === "ACTIVE") ?? cards[0])?.id ?? "",
      amount: 25,
      name: "Restaurant De Haven",
      category: "eating_places_restaurants",
      country: "GB",
      channel: "in_store",
    },
    validate: { amount: (amount, { cardId }) => problemOfMoney(amount, currencyOf(cardId)) },
  });
  const currency = currencyOf(form.values.cardId);
  const buy = useBuy(form, currency);
  return (
    <Control
      title="Buy something"
      action="Buy"
      isPending={buy.isPending}
      onSubmit={form.onSubmit((values) => buy.mutate(values))}
    >
      <Select
        label="Card"
        searchable
        allowDeselect={false}
        data={cards.map((card) => ({ value: card.id, label: labelOf(card) }))}
        {...form.getInputProps("cardId")}
      />
      <NumberInput label="Amount" {...moneyInput(currency)} {...form.getInputProps("amount")} />
      <TextInput
        label="Merchant"
        {...form.getInputProps("name")}
        error={form.errors["name"] ?? form.errors["merchant.name"]}
      />
      <OneCategory label="Category" {...form.getInputProps("category")} />
      <SimpleGrid cols={2}>
        <TextInput
          label="Country"
          {...form.getInputProps("country")}
          error={form.errors["country"] ?? form.errors["merchant.country"]}
        />
        <Select label="How" allowDeselect={false} data={channels} {...form.getInputProps("channel")} />
      </SimpleGrid>
      {buy.data !== undefined && <Bought purchase={buy.data} />}
    </Control>
  );
}

const labelOf = (card: CardListItem): string => {
  const status = card.status === "ACTIVE" ? "" : `, ${inWords(card.status).toLowerCase()}`;
  return `${cardName(card)} ${lastDigits(card.lastFour)}${status}`;
};

/** Sends the purchase to the sandbox's card network, which asks the service for its decision. */
function useBuy(form: UseFormReturnType<BuyValues>, currency: string) {
  const { organizationId } = useOrganization();
  return useAction(
    ({ cardId, amount, name, category, country, channel }: BuyValues, attempt) =>
      purser.sandbox.cards.authorize(
        {
          organizationId,
          cardId,
          amount: parseMoney(amount, currency) ?? 0,
          channel,
          merchant: {
            name,
            ...(category !== null && { category }),
            ...(country.trim() !== "" && { country: country.trim().toUpperCase() }),
          },
        },
        attempt,
      ),
    {
      form,
      invalidates: [queries.cards.list, queries.cards.transactions.list, queries.cards.reports.spending],
    },
  );
}

function Bought({ purchase }: { purchase: CardTransaction }) {
  const { organizationId } = useOrganization();
  const { id, cardId, amount, currency, merchantName, status, declineReason } = purchase;
  const isDeclined = status === "DECLINED";
  return (
    <Alert role="status" color={isDeclined ? "red" : "green"} title={isDeclined ? "Declined" : "Approved"}>
      <Text size="sm">
        {formatMoney(amount, currency)} at {merchantName}
        {declineReason !== null && `: ${reasonInWords(declineReason).title}`}.{" "}
        <Link
          to="/$organizationId/cards/$cardId"
          params={{ organizationId, cardId }}
          search={{ purchase: id }}
          style={{ color: "var(--mantine-color-anchor)" }}
        >
          See why
        </Link>
      </Text>
    </Alert>
  );
}
