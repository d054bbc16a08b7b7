import { Card, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** What a page shows while it has nothing to show: what belongs here, and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Card withBorder py={40} component="section">
      <Stack align="center" gap="xs" ta="center">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" maw={460} component="div">
            {children}
          </Text>
        )}
        {action !== undefined && <div>{action}</div>}
      </Stack>
    </Card>
  );
}
