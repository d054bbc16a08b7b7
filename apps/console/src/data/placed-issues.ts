import type { Issue } from "@purser/client";

/** The messages of a refusal that fields of a form can show, and those that none can. */
export interface PlacedIssues {
  /** By the path that `useForm` of Mantine gives the field, such as `limits.0.amount`. */
  fields: Record<string, string>;
  others: string[];
}

/**
 * Finds the field of each issue in the values of a form. An item of a list, such as `allowedMerchants.0`, has none of its
 * own, so the list's field shows it.
 */
export function placeIssues(issues: readonly Issue[], values: object): PlacedIssues {
  const placed: PlacedIssues = { fields: {}, others: [] };
  for (const { path, message } of issues) {
    const field = fieldAt(path, values);
    if (field === undefined) placed.others.push(message);
    else placed.fields[field] ??= message;
  }
  return placed;
}

function fieldAt(path: Issue["path"], values: object): string | undefined {
  let value: unknown = values;
  for (const [depth, key] of path.entries()) {
    if (depth > 0 && isPlainList(value)) return path.slice(0, depth).join(".");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  // An object is a group of fields, and a list of objects is a row of them for each.
  const isField = typeof value !== "object" || value === null || isPlainList(value);
  return path.length > 0 && isField ? path.join(".") : undefined;
}

const isPlainList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item !== "object");
