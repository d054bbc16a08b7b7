import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import type { AuthSession } from "@purser/client/auth";
import { useQuery } from "@tanstack/react-query";
import { Problem } from "../../components/problem.tsx";
import { Rows } from "../../components/rows.tsx";
import { useAction } from "../../data/action.tsx";
import { accountQueries, browserTimeZone } from "../../data/account.ts";
import { failedQuery } from "../../data/failed-query.ts";
import { formatInstant } from "../../data/format.ts";
import { auth } from "../../data/purser.ts";
import { programOf } from "../../data/user-agent.ts";
import { Section } from "./-section.tsx";

/** Where the user is signed in. Each session can be ended. */
export function Sessions() {
  const session = useQuery(accountQueries.session.queryOptions());
  const sessions = useQuery(accountQueries.sessions.queryOptions());
  const endOthers = useAction(() => auth.revokeOtherSessions(), {
    done: "You are signed in here only",
    invalidates: [accountQueries.sessions],
  });
  const failed = failedQuery(session, sessions);
  const others = sessions.data?.filter(({ token }) => token !== session.data?.session.token) ?? [];
  return (
    <Section title="Where you are signed in">
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : session.data === undefined || sessions.data === undefined ? (
        <Rows count={2} />
      ) : (
        <>
          <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
            {sortSessions(sessions.data, session.data?.session.token).map((one) => (
              <SessionItem key={one.id} session={one} isCurrent={one.token === session.data?.session.token} />
            ))}
          </Stack>
          {others.length > 0 && (
            <Group justify="flex-end">
              <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
                Sign out everywhere else
              </Button>
            </Group>
          )}
        </>
      )}
    </Section>
  );
}

/** This session first, then the newest. */
const sortSessions = (sessions: readonly AuthSession[], current: string | undefined): AuthSession[] =>
  sessions.toSorted(
    (a, b) =>
      Number(b.token === current) - Number(a.token === current) ||
      b.createdAt.getTime() - a.createdAt.getTime(),
  );

function SessionItem({ session, isCurrent }: { session: AuthSession; isCurrent: boolean }) {
  const program = programOf(session.userAgent);
  const end = useAction(() => auth.revokeSession({ token: session.token }), {
    done: `${program} is signed out`,
    invalidates: [accountQueries.sessions],
  });
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>
          {program}
        </Text>
        <Text size="xs" c="dimmed">
          {session.ipAddress || "Unknown address"} · since{" "}
          {formatInstant(session.createdAt, browserTimeZone())}
        </Text>
      </div>
      {isCurrent ? (
        <Badge variant="light" tt="none" flex="none">
          This session
        </Badge>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          flex="none"
          aria-label={`Sign out ${program}`}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          Sign out
        </Button>
      )}
    </Group>
  );
}
