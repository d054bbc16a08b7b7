import { z } from "zod";
import type { Procedure } from "./procedures.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Returns the longest texts that the inputs of mutations take, by the path of the field: "cards.create.nickname". For a list
 * of texts, it is that of its items.
 */
export function maxLengthsOf(procedures: readonly Procedure[]): [field: string, length: number][] {
  return procedures
    .filter(({ type }) => type === "mutation")
    .flatMap(({ path, input }) => {
      const schema = z.toJSONSchema(input as z.ZodType, {
        io: "input",
        unrepresentable: "any",
        reused: "inline",
      });
      return lengthsIn(path.join("."), schema);
    })
    .filter(([field]) => !isIdOfOurs(field));
}

/** Nobody writes these into a form. A government id is written. */
const isIdOfOurs = (field: string): boolean => /\.(id|(?!governmentId)\w+Id)$/.test(field);

function lengthsIn(path: string, schema: JsonSchema): [string, number][] {
  const own: [string, number][] = schema.maxLength === undefined ? [] : [[path, schema.maxLength]];
  const fields = Object.entries(schema.properties ?? {});
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), schema.items].filter(
    (part) => part !== undefined,
  );
  return [
    ...own,
    ...fields.flatMap(([name, field]) => lengthsIn(`${path}.${name}`, field as JsonSchema)),
    ...parts.flatMap((part) => lengthsIn(path, part as JsonSchema)),
  ];
}
