import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** A row of a table on a phone: what it is, something beside that, and below what else is known of it. */
export function PhoneRow({
  title,
  beside,
  children,
}: {
  title: ReactNode;
  beside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={2} miw={0}>
        <div>{title}</div>
        <Text size="xs" c="dimmed" component="div">
          {children}
        </Text>
      </Stack>
      {beside}
    </Group>
  );
}
