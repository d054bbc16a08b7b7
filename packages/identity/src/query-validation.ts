import { z } from "zod";
import { userFilterFields, userSortFields } from "./contract/administration.ts";
import { ListLimit, ListOffset } from "./contract/objects.ts";

const operators = { few: ["eq", "ne"], several: ["in", "not_in"] };

/** The fields that filter the user list, with their valid values. */
const filters = new Map<string, z.ZodType>([
  ...userFilterFields.text.map((field) => [field, z.string()] as const),
  ...userFilterFields.boolean.map((field) => [field, z.enum(["true", "false"])] as const),
]);

const wholeNumber = (range: z.ZodType<number, number>) =>
  z.string().regex(/^\d+$/, { error: "Must be a whole number" }).transform(Number).pipe(range).optional();

/** better-auth would replace a limit of 0 by its default. */
const paging = { limit: wholeNumber(ListLimit), offset: wholeNumber(ListOffset) };

const ListUsers = z
  .looseObject({
    ...paging,
    sortBy: z.enum(userSortFields).optional(),
    filterField: z.enum([...filters.keys()]).optional(),
    filterOperator: z.string().optional(),
    filterValue: z.array(z.string()).optional(),
  })
  .superRefine(({ filterField = "email", filterOperator = "eq", filterValue }, context) => {
    if (filterValue === undefined) return;
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    const takesSeveral = operators.several.includes(filterOperator);
    const isText = filters.get(filterField) instanceof z.ZodString;
    if (!isText && !operators.few.includes(filterOperator))
      refuse("filterOperator", "Must be eq or ne for this field");
    if (takesSeveral !== filterValue.length > 1)
      refuse(
        "filterValue",
        takesSeveral ? "Must be repeated for this operator" : "Must not be repeated for this operator",
      );
    if (!filterValue.every((value) => filters.get(filterField)?.safeParse(value).success))
      refuse("filterValue", "Must be a valid value of this field");
  });

const ListApiKeys = z.looseObject({
  ...paging,
  sortBy: z.enum(["id", "name", "createdAt", "updatedAt", "expiresAt", "lastRequest"]).optional(),
  organizationId: z.never({ error: "Keys belong to users, not to organizations" }).optional(),
});

/** Endpoints where better-auth answers an invalid query with a 500, an empty list or a code of its own. */
const queries = new Map<string, z.ZodType>([
  ["/admin/list-users", ListUsers],
  ["/api-key/list", ListApiKeys],
]);

/** Returns what is wrong with an endpoint's query, or undefined if it is valid. */
export function findQueryError(path: string, query: URLSearchParams): z.ZodError | undefined {
  const values: Record<string, unknown> = Object.fromEntries(query);
  if (query.has("filterValue")) values["filterValue"] = query.getAll("filterValue");
  return queries.get(path)?.safeParse(values).error;
}
