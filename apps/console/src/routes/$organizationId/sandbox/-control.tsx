import { Button, Card, Stack, Text, Title } from "@mantine/core";
import type { ReactNode, SubmitEvent } from "react";

/** A control of the sandbox: a form with one button. */
export function Control({
  title,
  hint,
  action,
  isPending,
  onSubmit,
  children,
}: {
  title: string;
  hint?: ReactNode;
  action: string;
  isPending: boolean;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  children?: ReactNode;
}) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(event);
        }}
      >
        <Stack gap="sm">
          <div>
            <Title order={2} size="h4">
              {title}
            </Title>
            {hint !== undefined && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
          </div>
          {children}
          <Button type="submit" loading={isPending} style={{ alignSelf: "flex-start" }}>
            {action}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
