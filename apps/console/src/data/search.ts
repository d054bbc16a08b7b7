/** Reads one of the known values from the address. Undefined for any other, so that an old link still opens its page. */
export const readOneOf = <const Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value | undefined => values.find((known) => known === value);

/** Reads known values from the address: a list, or a single one. Undefined if there is none. */
export function someOf<const Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = values.filter((one) => given.includes(one));
  return known.length === 0 ? undefined : known;
}

/** Reads texts from the address: a list, or a single one. Undefined if there is none. */
export function textsOf(value: unknown): string[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = given.flatMap((one) => textOf(one) ?? []);
  return texts.length === 0 ? undefined : texts;
}

/** Reads a text from the address. Undefined if it is empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Leaves out what is undefined, so that the address names only what was chosen. */
export const chosen = <Search extends object>(
  search: Search,
): { [Name in keyof Search]?: Exclude<Search[Name], undefined> } =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
