import { type Dispatch, type SetStateAction, useEffect, useState } from "react";

/** What a person writes, until its source says something else: the address, or the service. */
export function useFollowing<Value>(source: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, set] = useState(source);
  useEffect(() => set(source), [source]);
  return [value, set];
}
