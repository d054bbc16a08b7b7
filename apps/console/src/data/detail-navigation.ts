import { useRouter } from "@tanstack/react-router";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The entry before this one is the same list with no detail open. */
    isOverList?: boolean;
  }
}

/**
 * Opens a detail over a list with an entry of the history, so that the way back closes it. To close it is that way back,
 * or the next one would lead from the list to the list. What changes the list meanwhile stays.
 */
export function useDetailNavigation() {
  const { history } = useRouter();
  return (
    before: string | undefined,
    after: string | undefined,
    navigate: (entry: { replace: boolean; state: { isOverList: boolean } }) => unknown,
  ): void => {
    const isOverList = history.location.state.isOverList === true;
    if (before !== undefined && after === undefined && isOverList) return history.back();
    const opens = before === undefined && after !== undefined;
    const staysOver = isOverList && before !== after && after !== undefined;
    void navigate({ replace: !opens, state: { isOverList: opens || staysOver } });
  };
}
