import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** What is known of a thing: terms at the left, and what they are at the right. */
export function Facts({ facts }: { facts: readonly (readonly [term: string, value: ReactNode])[] }) {
  return (
    <Stack gap="xs" component="dl" m={0}>
      {facts.map(([term, value]) => (
        <Group key={term} justify="space-between" wrap="nowrap" align="flex-start">
          <Text component="dt" c="dimmed" size="sm" flex="none">
            {term}
          </Text>
          <Text component="dd" m={0} size="sm" ta="right">
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
