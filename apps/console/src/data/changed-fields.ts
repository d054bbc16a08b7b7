/**
 * The fields that differ from what they were. An update names only them, because another user may have changed the others
 * since the form began. Spaces around a text are no change: the service removes them.
 */
export const changedFields = <Fields extends object>(
  before: Readonly<Fields>,
  after: Readonly<Fields>,
): Partial<Fields> => {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => comparable(value) !== comparable(old[name])),
  ) as Partial<Fields>;
};

const comparable = (value: unknown): string | undefined =>
  JSON.stringify(typeof value === "string" ? value.trim() : value);
