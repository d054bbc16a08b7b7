import { Card, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { useMemberOptions } from "./-member-options.ts";
import { type NewCardValues, policyOfRules } from "./-new-card.ts";

export function ReviewStep({ values }: { values: NewCardValues }) {
  const { organizationId } = useOrganization();
  const members = useMemberOptions();
  const accounts = useQuery(queries.banking.accounts.list.queryOptions({ teamId: organizationId }));
  const policies = useQuery(queries.cards.policies.list.queryOptions({ organizationId }));
  const created = policyOfRules(values);
  const policy = created?.name ?? policies.data?.find(({ id }) => id === values.policyId)?.name;
  const facts = [
    ["Holder", members.find(({ value }) => value === values.assignedToId)?.label],
    ["Paid from", accounts.data?.find(({ id }) => id === values.fundingAccountId)?.accountName],
    ["Currency", values.currency],
    ["Name", values.nickname.trim() === "" ? "None" : values.nickname],
    ["Purpose", inWords(values.purpose)],
    [created === null ? "Policy" : "New policy", policy],
    ...(values.rules === "shop" ? [["Every other merchant", "Declined"]] : []),
  ];
  return (
    <Card withBorder mt="md">
      <Stack component="dl" m={0} gap="sm">
        {facts.map(([term, value]) => (
          <Group key={term} justify="space-between" wrap="nowrap">
            <Text component="dt" c="dimmed">
              {term}
            </Text>
            <Text component="dd" m={0} ta="right">
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
