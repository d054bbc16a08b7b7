import { Autocomplete, Button, Collapse, Group, Pill, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { type BankAccount, decimalsOf } from "@purser/client";
import { IconAdjustmentsHorizontal, IconSearch } from "@tabler/icons-react";
import { useSyncedState } from "../../../data/synced-state.ts";
import { formatDay } from "../../../data/format.ts";
import { useOrganization, useToday } from "../../../data/organization.ts";
import { reportPeriods } from "../../../data/report-days.ts";
import {
  type CategoryChoice,
  categoryChoices,
  categoryOfText,
  labelOfCategory,
} from "./-category-choices.ts";
import { useCategories } from "./-categories.ts";
import { AmountField, DayField, pauseMs } from "./-filter-fields.tsx";
import { type TransactionSearch, rangeProblems } from "./-search.ts";

type Changes = { [Name in keyof TransactionSearch]: TransactionSearch[Name] | undefined };

interface FiltersProps {
  search: TransactionSearch;
  accounts: readonly BankAccount[];
  onChange: (changes: Changes) => void;
  onReset: () => void;
}

/** Search words, and all filters behind a button. Those that are on stay in view, each with a button that removes it. */
export function TransactionFilters({ search, accounts, onChange, onReset }: FiltersProps) {
  const [isOpen, { toggle }] = useDisclosure();
  const { organizationId } = useOrganization();
  const categories = categoryChoices(useCategories(organizationId));
  const currency = currencyOf(search, accounts);
  const chosen = labelsOf(search, accounts, categories, currency);
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        <SearchField search={search} onChange={onChange} />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          onClick={toggle}
          aria-expanded={isOpen}
        >
          Filters
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Periods search={search} onChange={onChange} />
        <Fields
          search={search}
          accounts={accounts}
          categories={categories}
          onChange={onChange}
          currency={currency}
        />
      </Collapse>
      {chosen.length > 0 && (
        <Group gap="xs" mt="sm">
          {chosen.map(([name, label]) => (
            <Pill
              key={name}
              size="md"
              withRemoveButton
              onRemove={() => onChange({ [name]: undefined })}
              removeButtonProps={{
                "aria-label": `Remove the filter ${label}`,
                tabIndex: 0,
                "aria-hidden": false,
              }}
            >
              {label}
            </Pill>
          ))}
          <Button variant="subtle" size="compact-sm" onClick={onReset}>
            Reset
          </Button>
        </Group>
      )}
    </div>
  );
}

type FilterProps = Pick<FiltersProps, "search" | "onChange">;

/** Searches once the person pauses. */
function SearchField({ search, onChange }: FilterProps) {
  const [written, setWritten, expect] = useSyncedState(search.query ?? "");
  const find = useDebouncedCallback((text: string) => {
    const query = text.trim();
    expect(query);
    onChange({ query: query || undefined });
  }, pauseMs);
  return (
    <TextInput
      flex={1}
      type="search"
      aria-label="Search transactions"
      placeholder="Description or merchant"
      // The service takes no longer search.
      maxLength={200}
      leftSection={<IconSearch size={16} />}
      value={written}
      onChange={({ currentTarget }) => {
        setWritten(currentTarget.value);
        find(currentTarget.value);
      }}
    />
  );
}

function Periods({ search, onChange }: FilterProps) {
  const today = useToday();
  return (
    <Group gap="xs" mt="sm" role="group" aria-label="Period">
      {periods.map(({ label, days }) => {
        const { from, to } = days(today);
        const isChosen = search.from === from && search.to === to;
        return (
          <Button
            key={label}
            size="compact-sm"
            variant={isChosen ? "light" : "default"}
            aria-pressed={isChosen}
            onClick={() => onChange({ from, to })}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}

const periods = Object.values(reportPeriods);

interface FieldsProps extends Omit<FiltersProps, "onReset"> {
  categories: readonly CategoryChoice[];
  currency: string;
}

function Fields({ search, accounts, categories, onChange, currency }: FieldsProps) {
  const problems = rangeProblems(search);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mt="sm" spacing="sm">
      <Select
        label="Account"
        placeholder="All accounts"
        data={accounts.map(({ id, accountName, currency: own }) => ({
          value: id,
          label: `${accountName} (${own})`,
        }))}
        value={search.accountId ?? null}
        onChange={(accountId) => onChange({ accountId: accountId ?? undefined })}
        searchable
        clearable
      />
      <Select
        label="Direction"
        placeholder="Money in and out"
        data={directions}
        value={search.type ?? null}
        onChange={(type) => onChange({ type: type ?? undefined })}
        clearable
      />
      <Select
        label="Status"
        placeholder="Booked and pending"
        data={statuses}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
      />
      <CategoryFilter category={search.category} categories={categories} onChange={onChange} />
      <DayField label="From" day={search.from} onChange={(from) => onChange({ from })} />
      <DayField label="To" day={search.to} error={problems.to} onChange={(to) => onChange({ to })} />
      <AmountField
        label="Minimum amount"
        amount={search.minAmount}
        currency={currency}
        onChange={(minAmount) => onChange({ minAmount })}
      />
      <AmountField
        label="Maximum amount"
        amount={search.maxAmount}
        error={problems.maxAmount}
        currency={currency}
        onChange={(maxAmount) => onChange({ maxAmount })}
      />
    </SimpleGrid>
  );
}

const directions = [
  { value: "CREDIT" as const, label: "Money in" },
  { value: "DEBIT" as const, label: "Money out" },
];
const statuses = [
  { value: "POSTED" as const, label: "Booked" },
  { value: "PENDING" as const, label: "Pending" },
];

function CategoryFilter({
  category = "",
  categories,
  onChange,
}: {
  category: string | undefined;
  categories: readonly CategoryChoice[];
  onChange: (changes: Changes) => void;
}) {
  const label = labelOfCategory(categories, category);
  const [written, setWritten] = useSyncedState(label);
  const choose = (chosen: string) => onChange({ category: categoryOfText(categories, chosen) || undefined });
  return (
    <Autocomplete
      label="Category"
      placeholder="All categories"
      data={categories.map((choice) => choice.label)}
      value={written}
      onChange={setWritten}
      onOptionSubmit={choose}
      onBlur={() => written !== label && choose(written)}
      onKeyDown={({ key }) => key === "Enter" && choose(written)}
    />
  );
}

/** Amounts are filtered in minor units. The decimals are those of the chosen account, or of the first one. */
const currencyOf = ({ accountId }: TransactionSearch, accounts: readonly BankAccount[]): string =>
  (accounts.find(({ id }) => id === accountId) ?? accounts[0])?.currency ?? "USD";

function labelsOf(
  search: TransactionSearch,
  accounts: readonly BankAccount[],
  categories: readonly CategoryChoice[],
  currency: string,
): [keyof TransactionSearch, string][] {
  const { accountId, connectionId, from, to, type, category, status, minAmount, maxAmount } = search;
  const account = accounts.find(({ id }) => id === accountId)?.accountName ?? "Account";
  // The list may have several currencies, so the amount names none.
  const decimals = decimalsOf(currency);
  const inMajor = (amount: number) =>
    (amount / 10 ** decimals).toLocaleString(undefined, { maximumFractionDigits: decimals });
  const labels: [keyof TransactionSearch, string | false | undefined][] = [
    ["query", search.query && `“${search.query}”`],
    ["accountId", accountId !== undefined && account],
    ["connectionId", connectionId !== undefined && "One bank"],
    ["type", directions.find(({ value }) => value === type)?.label],
    ["status", statuses.find(({ value }) => value === status)?.label],
    ["category", category && labelOfCategory(categories, category)],
    ["from", from && `From ${formatDay(from)}`],
    ["to", to && `To ${formatDay(to)}`],
    ["minAmount", minAmount !== undefined && `At least ${inMajor(minAmount)}`],
    ["maxAmount", maxAmount !== undefined && `At most ${inMajor(maxAmount)}`],
  ];
  return labels.flatMap(([name, label]) => (label ? [[name, label]] : []));
}
