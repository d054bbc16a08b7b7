import { Card, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A part of the account, with a heading and what it is for. */
export function Section({
  title,
  about,
  id,
  children,
}: {
  title: string;
  about?: ReactNode;
  /** For links to this part. */
  id?: string;
  children: ReactNode;
}) {
  return (
    <Card withBorder component="section" aria-label={title} {...(id !== undefined && { id })}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {about !== undefined && (
            <Text size="sm" c="dimmed" mt={4} component="div">
              {about}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  );
}
