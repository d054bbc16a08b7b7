import { type ApiDocument, type Operation, type Schema, resolveSchema } from "./document.ts";

type Input = Record<string, unknown>;
type Components = ApiDocument["components"]["schemas"];

/** The input of a sample, by where REST carries it. Times are `Date`. */
export interface SampleInput {
  path: Input;
  query: Input;
  body: Input;
}

/**
 * Makes the input of an operation's samples of the examples in the document: all that is required, and of the optional
 * fields those without which the contract refuses the input, or an update would change nothing.
 */
export function sampleInput(operation: Operation, components: Components): SampleInput {
  const { parameters = [], requestBody, method, contract } = operation;
  const body = requestBody?.content["application/json"].schema ?? {};
  const { properties = {}, required = [] } = body;
  const input: SampleInput = { path: {}, query: {}, body: {} };
  for (const { name, in: place, schema, required: isRequired } of parameters) {
    if (place !== "header" && isRequired) input[place][name] = exampleOf(schema, components);
  }
  for (const name of required) input.body[name] = exampleOf(properties[name]!, components);

  const optional = Object.keys(properties).filter((name) => !required.includes(name) && name !== scope);
  const isUpdate = method === "PATCH" || required.length === 0;
  if (isUpdate && required.every((name) => name === scope)) addNext();
  while (optional.length > 0 && !contract.safeParse(contractInput(operation, input)).success) addNext();
  return input;

  function addNext(): void {
    const name = optional.shift();
    if (name !== undefined) input.body[name] = exampleOf(properties[name]!, components);
  }
}

/** The field that says in which organization, and changes nothing by itself. */
const scope = "organizationId";

/** The input by the names of the contract, which differ from those of the address for some path parameters. */
export function contractInput({ route }: Operation, { path, query, body }: SampleInput): Input {
  const values = Object.values(path);
  const named = route?.parameters.map(({ field }, index) => [field, values[index]]);
  return { ...(named ? Object.fromEntries(named) : path), ...query, ...body };
}

/** Returns the example of a schema, or one made of its parts. With `whole`, it has the optional fields as well. */
export function exampleOf(schema: Schema, components: Components, whole = false): unknown {
  const {
    examples,
    properties,
    required = [],
    items,
    anyOf,
    oneOf,
    format,
    ...rest
  } = resolveSchema(schema, components);
  const [example] = examples ?? [];
  // An empty list shows nothing of its items.
  const isEmpty = Array.isArray(example) && example.length === 0 && whole && items !== undefined;
  if (isEmpty) return [exampleOf(items, components, whole)];
  if (example !== undefined) return isTime(example, format, anyOf) ? new Date(example) : example;
  if ("const" in rest) return rest.const;
  if (properties !== undefined) {
    const named = Object.entries(properties).filter(([name]) => whole || required.includes(name));
    return Object.fromEntries(named.map(([name, each]) => [name, exampleOf(each, components, whole)]));
  }
  if (items !== undefined) return [exampleOf(items, components, whole)];
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return exampleOf(first, components, whole);
  return rest.type === "null" ? null : {};
}

function isTime(example: unknown, format?: string, anyOf: Schema[] = []): example is string {
  const formats = [format, ...anyOf.map((each) => each.format)];
  return typeof example === "string" && formats.includes("date-time");
}
