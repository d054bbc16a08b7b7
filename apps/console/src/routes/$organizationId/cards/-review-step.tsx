import { Card } from "@mantine/core";
import type { LimitInterval } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Facts } from "../../../components/facts.tsx";
import { limitInWords } from "../../../data/card-labels.ts";
import { allAccounts, allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purposeNames } from "./-card-parts.tsx";
import { useMemberOptions } from "./-member-options.ts";
import { type NewCardValues, policyOfRules } from "./-new-card.ts";

const limitsInWords = (
  limits: readonly { amount: number; interval: LimitInterval }[],
  currency: string,
): string =>
  limits.map(({ amount, interval }) => limitInWords(amount, interval, currency)).join(", ") || "No limit";

export function ReviewStep({ values }: { values: NewCardValues }) {
  const { organizationId } = useOrganization();
  const members = useMemberOptions();
  const accounts = useQuery(allAccounts(organizationId));
  const policies = useQuery(allPolicies(organizationId));
  const created = policyOfRules(values);
  const chosen = policies.data?.find(({ id }) => id === values.policyId);
  const facts: (readonly [string, string | undefined])[] = [
    ["Holder", members.data?.find(({ value }) => value === values.assignedToId)?.label],
    ["Paid from", accounts.data?.find(({ id }) => id === values.fundingAccountId)?.accountName],
    ["Currency", values.currency],
    ["Name", values.nickname.trim() === "" ? "None" : values.nickname],
    ["Purpose", purposeNames[values.purpose]],
    [created === null ? "Policy" : "New policy", created?.name ?? chosen?.name],
    ["Limit", limitsInWords((created ?? chosen)?.limits ?? [], values.currency)],
    ...(values.rules === "shop"
      ? ([
          ["Works only at", values.shop.trim()],
          ["Every other merchant", "Declined"],
        ] as const)
      : []),
  ];
  return (
    <Card withBorder mt="md">
      <Facts facts={facts} />
    </Card>
  );
}
