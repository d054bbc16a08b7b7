import { useEffect, useReducer } from "react";

const minuteMs = 60_000;

/** The time of this rendering. The component is rendered again each minute, since nothing else may happen on a page for hours. */
export function useNow(): Date {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(renderAgain, minuteMs);
    return () => clearInterval(timer);
  }, []);
  return new Date();
}
