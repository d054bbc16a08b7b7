import { html } from "hono/html";
import type { Markup } from "../layout.ts";
import { type ApiDocument, type Schema, componentName, resolveSchema, splitNull } from "./document.ts";
import { type Link, phrases, prose } from "./prose.ts";

interface Rendering {
  components: ApiDocument["components"]["schemas"];
  link: Link;
}

interface Field {
  name: string;
  schema: Schema;
  /** What is shown after the type, such as `required`. */
  mark: string;
  description?: string | undefined;
}

/** Lists the fields of an object, each with its type, limits, meaning and an example. Nested objects unfold. */
export function fieldList(fields: readonly Field[], rendering: Rendering, above: string[] = []): Markup {
  return html`<dl class="fields">
    ${fields.map(
      (field) =>
        html`<div>
          <dt>
            <code>${field.name}</code>
            <span class="type">${typeName(field.schema, rendering.components)}</span>
            ${field.mark === "" ? "" : html`<span class="mark">${field.mark}</span>`}
          </dt>
          <dd>${explanation(field, rendering, above)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The fields of an object schema. Of an input, `required` is marked. An output marks what may be absent. */
export function fieldsOf({ properties = {}, required = [] }: Schema, io: "input" | "output"): Field[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    if (io === "input") return { name, schema, mark: isRequired ? "required" : "" };
    return { name, schema, mark: isRequired ? "" : "may be absent" };
  });
}

function explanation({ name, schema, description }: Field, rendering: Rendering, above: string[]): Markup {
  const { components, link } = rendering;
  const whole = splitNull(resolveSchema(schema, components)).schema;
  const value = resolveSchema(whole, components);
  const sentence = description ?? value.description ?? "";
  const limits = limitsOf(value);
  const [example] = value.examples ?? [];
  const words = value.enum ?? resolveSchema(value.items ?? {}, components).enum;
  const shown =
    value.enum === undefined && example !== undefined && example !== null
      ? JSON.stringify(example)
      : undefined;
  return html`${prose(sentence, link)}
  ${
    words === undefined || sentence.includes(`- \`${words[0]}\``)
      ? ""
      : html`<p>
          ${value.enum === undefined ? "Each is one" : "One"} of
          ${phrases(words.map((each) => `\`${each}\``).join(", "), link)}.
        </p>`
  }
  ${
    limits === "" && shown === undefined
      ? ""
      : html`<p class="soft">${limits} ${shown === undefined ? "" : html`Example: <code>${shown}</code>`}</p>`
  }
  ${nested(name, whole, rendering, above)}`;
}

/** The fields of the object that a field holds, or a list or map of which it holds. */
function nested(name: string, schema: Schema, rendering: Rendering, above: string[]): Markup | "" {
  const { components } = rendering;
  const held = heldSchema(schema, components);
  const key = componentName(held) ?? "";
  const { schema: object } = splitNull(resolveSchema(held, components));
  if (object.oneOf !== undefined) return variantLink(key);
  // A component within itself is described where it appears first.
  if (object.properties === undefined || above.includes(key)) return "";
  return html`<details>
    <summary>Fields of <code>${name}</code></summary>
    ${fieldList(fieldsOf(object, "output"), rendering, [...above, key])}
  </details>`;
}

/** Only events have variants. Their list describes them. */
export const variantLink = (name: string): Markup =>
  html`<p class="soft">One of the <a href="/docs/events#${name}">variants of ${name}</a>.</p>`;

/**
 * Describes an object that has variants: the fields that all have, and each variant with what its `data` holds. What several
 * hold is described once.
 */
export function variantList(name: string, variants: readonly Schema[], rendering: Rendering): Markup {
  const { components, link } = rendering;
  const resolved = variants.map((variant) => resolveSchema(variant, components));
  const shared = fieldsOf(commonSchema(resolved), "output").filter(
    ({ name: field }) => !["type", "data"].includes(field),
  );
  const described = new Set<string>();
  return html`${fieldList(shared, rendering)}
    <h4 id="${name}">Variants, by <code>type</code></h4>
    <dl class="fields">
      ${resolved.map(({ properties = {}, description = "" }) => {
        const { type, data = {} } = properties;
        const holds = typeName(data, components);
        const isNew = componentName(data) === undefined || !described.has(holds);
        described.add(holds);
        return html`<div>
          <dt><code>${type?.const}</code> <span class="type">data: ${holds}</span></dt>
          <dd>${prose(description, link)} ${isNew ? nested("data", data, rendering, []) : ""}</dd>
        </div>`;
      })}
    </dl>`;
}

/** What all variants have. A field in which each has a constant of its own is any of these. */
function commonSchema(variants: readonly Schema[]): Schema {
  const { const: _, examples: __, ...first } = variants[0]!;
  const values = new Set(variants.map(({ const: value }) => String(value)));
  if (values.size > 1) return { ...first, type: "string", enum: [...values] };
  const { properties } = first;
  if (properties === undefined) return variants[0]!;
  const common = Object.keys(properties).map((name) => [
    name,
    commonSchema(variants.map((variant) => variant.properties?.[name] ?? {})),
  ]);
  return { ...first, properties: Object.fromEntries(common) };
}

function heldSchema(schema: Schema, components: Rendering["components"]): Schema {
  const { items, additionalProperties } = resolveSchema(schema, components);
  if (items !== undefined) return heldSchema(items, components);
  return typeof additionalProperties === "object" ? additionalProperties : schema;
}

/** The type as readers of TypeScript and JSON call it. */
export function typeName(schema: Schema, components: Rendering["components"]): string {
  const { schema: value, isNullable } = splitNull(schema);
  const suffix = isNullable ? " or null" : "";
  const name = componentName(value);
  if (name !== undefined) {
    const inner = splitNull(resolveSchema(value, components));
    const isObject = inner.schema.properties !== undefined || inner.schema.oneOf !== undefined;
    return (
      (isObject ? name : typeName(inner.schema, components)) +
      (suffix || (inner.isNullable ? " or null" : ""))
    );
  }
  const { type = "any", format, items, anyOf, additionalProperties } = value;
  if (items !== undefined) return `array of ${typeName(items, components)}${suffix}`;
  if (anyOf !== undefined) {
    const names = anyOf.filter((each) => each.type !== "null").map((each) => typeName(each, components));
    return [...new Set(names)].join(" or ") + suffix;
  }
  if (typeof additionalProperties === "object")
    return `map of ${typeName(additionalProperties, components)}${suffix}`;
  if ("const" in value) return JSON.stringify(value.const) + suffix;
  return `${Array.isArray(type) ? type.join(" or ") : (format ?? type)}${suffix}`;
}

function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  default: preset,
}: Schema): string {
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    const upper = most === Number.MAX_SAFE_INTEGER ? undefined : most;
    const lower = least === Number.MIN_SAFE_INTEGER ? undefined : least;
    if (lower !== undefined && upper !== undefined) return [`${lower} to ${upper}${unit}.`];
    if (upper !== undefined) return [`At most ${upper}${unit}.`];
    return lower === undefined ? [] : [`At least ${lower}${unit}.`];
  };
  return [
    ...range(minimum, maximum, ""),
    ...range(minLength, maxLength, " characters"),
    ...range(minItems, maxItems, " items"),
    ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
  ].join(" ");
}
