import { Text } from "@mantine/core";
import type { BillingPlanVariant } from "@purser/client";
import { Amount } from "../../../components/amount.tsx";

/** How often a variant is paid: "month", or "3 months". */
export const intervalOf = ({ interval, interval_count: count }: BillingPlanVariant): string =>
  count === 1 ? interval : `${count} ${interval}s`;

export function Price({ variant }: { variant: BillingPlanVariant }) {
  return (
    <Text>
      <Text span fz={26} fw={650}>
        <Amount value={variant.price} currency={variant.currency} />
      </Text>{" "}
      <Text span c="dimmed">
        per {intervalOf(variant)}
      </Text>
    </Text>
  );
}
