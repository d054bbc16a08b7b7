import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";

/**
 * What a person writes, until its source says something else: the address, for example. A source that follows what was
 * written, after a pause, must not take back what was written since: call `expect` with what it becomes.
 */
export function useSyncedState<Value>(
  source: Value,
): [written: Value, write: Dispatch<SetStateAction<Value>>, expect: (source: Value) => void] {
  const [written, write] = useState(source);
  const expected = useRef<{ source: Value }>(undefined);
  useEffect(() => {
    const isExpected = expected.current?.source === source;
    expected.current = undefined;
    if (!isExpected) write(source);
  }, [source]);
  return [
    written,
    write,
    (next) => {
      expected.current = { source: next };
    },
  ];
}
