import { Alert, Anchor, Button, Code, Group, Text } from "@mantine/core";
import { isProblem } from "@purser/client";
import { useRouter } from "@tanstack/react-router";

/** Says what went wrong, what to do, and the request to name when asking for help. */
export function Problem({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const router = useRouter();
  const problem = isProblem(error) ? error : undefined;
  return (
    <Alert color="red" title={titleOf(error)} role="alert">
      <Text size="sm">{adviceOf(error)}</Text>
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

/** What happened, for people. */
export const titleOf = (error: unknown): string =>
  isProblem(error, "NETWORK_FAILURE", "TIMEOUT")
    ? "Purser cannot be reached"
    : isProblem(error)
      ? error.message
      : "This could not be shown";

/** What to do about it. */
export function adviceOf(error: unknown): string {
  if (isProblem(error, "NETWORK_FAILURE", "TIMEOUT")) return "Check your connection, then try again.";
  if (isProblem(error, "FORBIDDEN")) return "Ask an owner of the organization.";
  if (isProblem(error) && error.help !== undefined) return error.help;
  return "If it happens again, tell your administrator.";
}
