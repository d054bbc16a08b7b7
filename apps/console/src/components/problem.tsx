import { Alert, Anchor, Button, Code, Group, Text } from "@mantine/core";
import { isProblem } from "@purser/client";
import { useRouter } from "@tanstack/react-router";
import { adviceFor, titleOf } from "../data/problem-labels.ts";

/** Says what went wrong, what to do, and the request to name when asking for help. */
export function Problem({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const router = useRouter();
  const problem = isProblem(error) ? error : undefined;
  const advice = adviceFor(error);
  return (
    <Alert color="red" title={titleOf(error)} role="alert">
      {advice !== null && <Text size="sm">{advice}</Text>}
      {problem?.requestId !== undefined && (
        <Text size="sm" mt={4}>
          Request <Code>{problem.requestId}</Code>
        </Text>
      )}
      <Group mt="md">
        {problem?.link !== undefined && <Anchor href={problem.link}>Solve it on the bank’s page</Anchor>}
        <Button
          variant="default"
          size="xs"
          onClick={() => void (retry === undefined ? router.invalidate() : retry())}
        >
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
