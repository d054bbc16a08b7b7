/** An SDK type as it is on the wire. `Own` replaces fields that the fake never expands, and decimals, which are text. */
export type OnTheWire<T, Own = unknown> = Omit<T, keyof Own | "deleted"> & Own;
