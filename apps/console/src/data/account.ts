import { auth } from "./purser.ts";

/** What the signed-in user sees of their own account, as options for TanStack Query. */
export const accountQueries = {
  session: {
    queryKey: () => ["account", "session"],
    queryOptions: () => ({
      queryKey: ["account", "session"],
      queryFn: ({ signal }: { signal: AbortSignal }) => auth.getSession({}, { signal }),
    }),
  },
  sessions: {
    queryKey: () => ["account", "sessions"],
    queryOptions: () => ({
      queryKey: ["account", "sessions"],
      queryFn: ({ signal }: { signal: AbortSignal }) => auth.listSessions({}, { signal }),
    }),
  },
  keys: {
    queryKey: () => ["account", "keys"],
    queryOptions: () => ({
      queryKey: ["account", "keys"],
      queryFn: ({ signal }: { signal: AbortSignal }) => auth.apiKey.list({}, { signal }),
    }),
  },
};

/** The zone of the browser. An account belongs to no organization, so it has none of its own. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
