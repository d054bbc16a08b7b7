import { isProblem } from "@purser/client";

/** What pages use of the result of a query. */
interface QueryState {
  data: unknown;
  error: unknown;
  refetch: () => unknown;
  /** Of an endless list. Without the next page, it would end as if there were no more. */
  isFetchNextPageError?: boolean;
}

/**
 * The problem that takes the place of what these queries show, and what tries again. If reading again fails, the content
 * stays, with the forms that the user is filling in, unless the service refuses: then it is gone, or not theirs any more.
 * A user who is signed out may sign in again.
 */
export function failedQuery(...states: readonly QueryState[]) {
  const failed = states.filter(
    ({ data, error, isFetchNextPageError = false }) =>
      error !== null &&
      (data === undefined ||
        isFetchNextPageError ||
        (isRefusal(error) && !isProblem(error, "UNAUTHENTICATED"))),
  );
  const [first] = failed;
  if (first === undefined) return undefined;
  return { error: first.error, refetch: () => Promise.all(failed.map((state) => state.refetch())) };
}

/** Whether the service has refused, for good. */
export const isRefusal = (error: unknown): boolean =>
  isProblem(error) &&
  // That is a proxy's, which knows nothing of what is shown.
  error.code !== "UNEXPECTED_RESPONSE" &&
  error.status >= 400 &&
  error.status < 500 &&
  !error.retryable;
