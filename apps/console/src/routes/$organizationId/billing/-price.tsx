import { Text } from "@mantine/core";
import type { BillingPlanVariant } from "@purser/client";
import { Amount } from "../../../components/amount.tsx";

/** How often a variant is paid: "month", or "3 months". */
export const intervalOf = ({
  interval,
  interval_count: count,
}: Pick<BillingPlanVariant, "interval" | "interval_count">): string =>
  count === 1 ? interval : `${count} ${interval}s`;

export function Price({ variant }: { variant: BillingPlanVariant }) {
  const { price, currency } = variant;
  return (
    <Text>
      <Text span fz={26} fw={650}>
        <Amount value={price} currency={currency} />
      </Text>{" "}
      <Text span c="dimmed">
        per {intervalOf(variant)}
      </Text>
    </Text>
  );
}

/** The price of a variant that is on offer, with what is due once, and with what is free at first. */
export function OfferedPrice({
  variant,
  isTrialEligible,
}: {
  variant: BillingPlanVariant;
  isTrialEligible: boolean;
}) {
  const { currency, trial, setupFee } = variant;
  return (
    <div>
      <Price variant={variant} />
      {isTrialEligible && trial && <Text size="sm">First {intervalOf(trial)} free</Text>}
      {setupFee > 0 && (
        <Text size="sm">
          plus <Amount value={setupFee} currency={currency} /> once
        </Text>
      )}
    </div>
  );
}
