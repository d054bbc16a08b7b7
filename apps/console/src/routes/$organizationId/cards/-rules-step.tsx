import { Autocomplete, Group, NumberInput, Radio, Select, Stack } from "@mantine/core";
import { maxLengthOf } from "@purser/client";
import { IconSelector } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { moneyInput } from "../../../components/money-input.tsx";
import { Problem } from "../../../components/problem.tsx";
import { intervalNames } from "../../../data/card-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import type { NewCardForm } from "./-new-card.ts";

const kinds = [
  { value: "policy", label: "A policy of yours", description: "Shared by all cards that use it." },
  { value: "limits", label: "A limit of its own", description: "Any merchant, up to an amount." },
  { value: "shop", label: "One shop only", description: "Every other merchant is declined." },
];

export function RulesStep({ form }: { form: NewCardForm }) {
  const { organizationId } = useOrganization();
  const policies = useQuery(allPolicies(organizationId));
  const merchants = useMerchants(form.values.rules === "shop");
  const { rules, currency } = form.values;
  const failed = failedQuery(policies);
  return (
    <Stack mt="md">
      <Radio.Group label="What may it pay for?" {...form.getInputProps("rules")}>
        <Stack gap="sm" mt="xs">
          {kinds.map((kind) => (
            <Radio key={kind.value} {...kind} />
          ))}
        </Stack>
      </Radio.Group>
      {rules === "policy" && failed !== undefined && <Problem error={failed.error} retry={failed.refetch} />}
      {rules === "policy" && failed === undefined && (
        <Select
          label="Policy"
          searchable
          allowDeselect={false}
          placeholder={policies.data?.length === 0 ? "You have no policy yet" : "Choose a policy"}
          data={policies.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          {...form.getInputProps("policyId")}
        />
      )}
      {rules === "shop" && (
        <Autocomplete
          label="Shop"
          data={merchants}
          description="The list has the shops where your cards were used. A name must be whole, as on a statement."
          placeholder="Choose a shop or type its whole name"
          rightSection={<IconSelector size={16} aria-hidden />}
          rightSectionPointerEvents="none"
          maxLength={maxLengthOf("cards.policies.create.allowedMerchants")}
          {...form.getInputProps("shop")}
        />
      )}
      {rules !== "policy" && (
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <NumberInput
            label={rules === "shop" ? "Limit (optional)" : "Limit"}
            {...moneyInput(currency)}
            {...form.getInputProps("amount")}
          />
          <Select
            label="Applies to"
            allowDeselect={false}
            data={Object.entries(intervalNames).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps("interval")}
          />
        </Group>
      )}
    </Stack>
  );
}

/** The names of merchants as the card network has written them, for a field that offers them. */
function useMerchants(enabled: boolean): string[] {
  const { organizationId } = useOrganization();
  const { data = [] } = useQuery({
    ...queries.cards.transactions.list.queryOptions({ organizationId, limit: 1000 }),
    select: (transactions) => [...new Set(transactions.map(({ merchantName }) => merchantName))].toSorted(),
    enabled,
  });
  return data;
}
