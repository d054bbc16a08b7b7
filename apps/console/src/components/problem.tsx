import { Alert, Button, Code, Container, Group, Text } from "@mantine/core";
import { isProblem } from "@purser/client";
import { useRouter } from "@tanstack/react-router";

/** Says what went wrong, what to do, and the request to name when asking for help. */
export function Problem({ error }: { error: unknown }) {
  const router = useRouter();
  const problem = isProblem(error) ? error : undefined;
  return (
    <Container size="sm" py="xl">
      <Alert color="red" title={problem?.message ?? "This page could not be shown"}>
        {problem?.help !== undefined && <Text>{problem.help}</Text>}
        {problem?.requestId !== undefined && (
          <Text size="sm">
            Request <Code>{problem.requestId}</Code>
          </Text>
        )}
        <Group mt="md">
          <Button variant="light" color="red" onClick={() => void router.invalidate()}>
            Try again
          </Button>
        </Group>
      </Alert>
    </Container>
  );
}
