import { NumberInput, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { decimalsOf } from "@purser/client";
import { asWritten } from "../../../components/money-input.tsx";
import { parseMoney, problemOfMoney } from "../../../data/format.ts";
import { useSyncedState } from "../../../data/synced-state.ts";
import { isDay, maxDay } from "../../../data/zoned-day.ts";

/** How long a person may pause while they write before the list follows. */
export const pauseMs = 250;

/** A day that is still being written stays in its field. The filter follows once it is one. */
export function DayField({
  label,
  day = "",
  error = null,
  onChange,
}: {
  label: string;
  day: string | undefined;
  error?: string | null;
  onChange: (day: string | undefined) => void;
}) {
  const [written, setWritten, expect] = useSyncedState(day);
  const change = useDebouncedCallback((next: string) => {
    if (next !== "" && !isDay(next)) return;
    expect(next);
    onChange(next || undefined);
  }, pauseMs);
  return (
    <TextInput
      type="date"
      max={maxDay}
      label={label}
      error={error}
      value={written}
      onChange={({ currentTarget }) => {
        setWritten(currentTarget.value);
        change(currentTarget.value);
      }}
    />
  );
}

export function AmountField({
  label,
  amount,
  error = null,
  currency,
  onChange,
}: {
  label: string;
  amount: number | undefined;
  error?: string | null;
  /** The one that the person sees. Its decimals are those of the amount. */
  currency: string;
  onChange: (amount: number | undefined) => void;
}) {
  const sourceOf = (minor: number | undefined) =>
    minor === undefined ? "" : minor / 10 ** decimalsOf(currency);
  const [written, setWritten, expect] = useSyncedState<string | number>(sourceOf(amount));
  const change = useDebouncedCallback((minor: number | undefined) => {
    expect(sourceOf(minor));
    onChange(minor);
  }, pauseMs);
  return (
    <NumberInput
      label={label}
      error={written === "" ? error : (problemOfMoney(written, currency) ?? error)}
      placeholder="Any"
      min={0}
      {...asWritten}
      hideControls
      value={written}
      onChange={(value) => {
        setWritten(value);
        change(parseMoney(value, currency) ?? undefined);
      }}
    />
  );
}
