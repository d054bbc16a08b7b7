/**
 * Returns the fields of an object that are not undefined. A field that is spread over another replaces it even if it is
 * undefined.
 *
 * @example
 * definedFields({ amount: 620, note: undefined }); // { amount: 620 }
 */
export function definedFields<Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as never;
}
