import { html } from "hono/html";
import type { Markup } from "../layout.ts";
import { codeBlock } from "./code-block.ts";
import {
  type ApiDocument,
  type DocumentedResponse,
  type Operation,
  type Schema,
  componentName,
  resolveSchema,
  splitNull,
} from "./document.ts";
import { fieldList, fieldsOf, typeName, variantLink, variantList } from "./fields.ts";
import { type Link, phrases, prose } from "./prose.ts";
import { exampleOf, sampleInput } from "./sample-input.ts";
import { curlSample, typeScriptSample } from "./samples.ts";

export interface OperationRendering {
  components: ApiDocument["components"]["schemas"];
  link: Link;
  baseUrl: string;
}

/** Describes an operation: its address, input, response and errors, with samples next to them. */
export function operationSection(operation: Operation, rendering: OperationRendering): Markup {
  const { operationId, method, path, description } = operation;
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-name">
    <div class="described">
      <h3 id="${operationId}-name"><a href="#${operationId}">${operationId}</a></h3>
      <p class="address"><span class="method">${method}</span> <code>${path}</code></p>
      ${prose(description, rendering.link)} ${input(operation, rendering)} ${responses(operation, rendering)}
    </div>
    ${samples(operation, rendering)}
  </section>`;
}

function input({ parameters = [], requestBody }: Operation, rendering: OperationRendering): Markup {
  const inPath = { path: "in the path", query: "", header: "header" };
  const fields = parameters.map(({ name, schema, description, required, in: place }) => {
    const marks = [required ? "required" : "", inPath[place]].filter(Boolean);
    return { name, schema, description, mark: marks.join(", ") };
  });
  const body = requestBody?.content["application/json"].schema;
  return html`${fields.length === 0 ? "" : html`<h4>Parameters</h4>`}
  ${fields.length === 0 ? "" : fieldList(fields, rendering)} ${body === undefined ? "" : html`<h4>Body</h4>`}
  ${body === undefined ? "" : fieldList(fieldsOf(body, "input"), rendering)}`;
}

function responses({ responses: all }: Operation, rendering: OperationRendering): Markup {
  const statuses = Object.entries(all);
  const errors = statuses.filter(([status]) => Number(status) >= 400);
  return html`${statuses
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => success(status, response, rendering))}
    <h4>Errors</h4>
    <dl class="errors">
      ${errors.map(
        ([status, { description }]) =>
          html`<dt>${status}</dt>
            <dd>${codesIn(description).flatMap((code) => [codeLink(code), " "])}</dd>`,
      )}
    </dl>`;
}

/** The codes at the beginning of each paragraph. The list of errors has their sentences. */
function codesIn(description: string): string[] {
  return [...description.matchAll(/^`([A-Z_]+)`/gm)].map(([, code = ""]) => code);
}

const codeLink = (code: string) => html`<a href="/docs/problems#${code}"><code>${code}</code></a>`;

function success(status: string, response: DocumentedResponse, rendering: OperationRendering): Markup {
  const { components, link } = rendering;
  const schema = response.content?.["application/json"]?.schema;
  const headers = Object.keys(response.headers).map((name) => `\`${name}\``);
  const { schema: value } = splitNull(resolveSchema(schema ?? {}, components));
  const item = value.items ?? value;
  const object = resolveSchema(item, components);
  const { description = "" } = object;
  const describe = (name: string, variants: readonly Schema[]) =>
    value.items === undefined ? variantLink(name) : variantList(name, variants, rendering);
  return html`<h4>Response <code>${status}</code></h4>
    <p>
      ${phrases(response.description, link)}
      ${schema === undefined ? "" : html`<span class="type">${typeName(schema, components)}</span>`}
    </p>
    ${object.properties === undefined && object.oneOf === undefined ? "" : prose(description, link)}
    ${object.properties === undefined ? "" : fieldList(fieldsOf(object, "output"), rendering)}
    ${object.oneOf === undefined ? "" : describe(componentName(value.items ?? schema ?? {}) ?? "", object.oneOf)}
    <p class="soft"><a href="/docs#headers">Headers</a>: ${phrases(headers.join(", "), link)}</p>`;
}

function samples(operation: Operation, { components, baseUrl }: OperationRendering): Markup {
  const values = sampleInput(operation, components);
  const [first] = Object.values(operation.responses);
  const schema = first?.content?.["application/json"]?.schema;
  const { operationId, isInClient } = operation;
  return html`<div class="samples">
    ${codeBlock("curl", curlSample(operation, values, baseUrl), operationId)}
    ${isInClient ? codeBlock("TypeScript", typeScriptSample(operation, values, baseUrl), operationId) : ""}
    ${
      schema === undefined
        ? ""
        : codeBlock("Response", JSON.stringify(exampleOf(schema, components, true), null, 2), operationId)
    }
  </div>`;
}
