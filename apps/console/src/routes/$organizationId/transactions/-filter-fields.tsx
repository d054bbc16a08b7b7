import { NumberInput, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useFollowing } from "../../../data/following.ts";

/** How long a person may pause while they write before the list follows. */
export const pauseMs = 250;

export function DayField({
  label,
  day = "",
  onChange,
}: {
  label: string;
  day: string | undefined;
  onChange: (day: string | undefined) => void;
}) {
  return (
    <TextInput
      type="date"
      label={label}
      value={day}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}

export function AmountField({
  label,
  amount,
  scale,
  onChange,
}: {
  label: string;
  amount: number | undefined;
  scale: number;
  onChange: (amount: number | undefined) => void;
}) {
  const change = useDebouncedCallback(onChange, pauseMs);
  const [written, setWritten] = useFollowing<string | number>(amount === undefined ? "" : amount / scale);
  return (
    <NumberInput
      label={label}
      placeholder="Any"
      min={0}
      decimalScale={Math.round(Math.log10(scale))}
      thousandSeparator
      hideControls
      value={written}
      onChange={(value) => {
        setWritten(value);
        change(value === "" || Number.isNaN(Number(value)) ? undefined : Math.round(Number(value) * scale));
      }}
    />
  );
}
