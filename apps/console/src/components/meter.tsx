import { Group, Progress, Text } from "@mantine/core";
import { formatMoney } from "../data/format.ts";

/** How much of a limit is used: a bar, and in words what is left. */
export function Meter({
  used,
  limit,
  currency,
  isNear = false,
  label = "Used of the limit",
}: {
  used: number;
  limit: number;
  currency: string;
  /** Whether so little is left that it needs attention. */
  isNear?: boolean;
  label?: string;
}) {
  const share = limit === 0 ? 1 : used / limit;
  const sentence = `${formatMoney(used, currency)} of ${formatMoney(limit, currency)}`;
  return (
    <div>
      <Progress.Root size="sm">
        <Progress.Section
          value={Math.min(100, share * 100)}
          color={`var(${share >= 1 ? "--danger" : isNear ? "--plot-second" : "--plot-first"})`}
          aria-label={label}
          aria-valuetext={sentence}
        />
      </Progress.Root>
      <Group justify="space-between" gap="xs" mt={2}>
        <Text size="xs" c="dimmed">
          {sentence}
        </Text>
        <Text size="xs" c="dimmed">
          {formatMoney(Math.max(0, limit - used), currency)} left
        </Text>
      </Group>
    </div>
  );
}
