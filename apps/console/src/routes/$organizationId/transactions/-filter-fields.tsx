import { NumberInput, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
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
  scale,
  onChange,
}: {
  label: string;
  amount: number | undefined;
  error?: string | null;
  scale: number;
  onChange: (amount: number | undefined) => void;
}) {
  const sourceOf = (minor: number | undefined) => (minor === undefined ? "" : minor / scale);
  const [written, setWritten, expect] = useSyncedState<string | number>(sourceOf(amount));
  const change = useDebouncedCallback((minor: number | undefined) => {
    expect(sourceOf(minor));
    onChange(minor);
  }, pauseMs);
  return (
    <NumberInput
      label={label}
      error={error}
      placeholder="Any"
      min={0}
      decimalScale={Math.round(Math.log10(scale))}
      hideControls
      value={written}
      onChange={(value) => {
        setWritten(value);
        change(value === "" || Number.isNaN(Number(value)) ? undefined : Math.round(Number(value) * scale));
      }}
    />
  );
}
