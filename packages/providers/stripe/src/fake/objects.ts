/** Some properties of an SDK type. `Own` replaces those that the fake never expands. */
export type Some<T, Key extends keyof T, Own = unknown> = Omit<Pick<T, Key>, keyof Own> & Own;
