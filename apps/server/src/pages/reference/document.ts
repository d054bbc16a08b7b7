import { authClientOperations, authOperations } from "@purser/identity/contract";
import { type RestRoute, openApiDocument, restRoutes, routerOf } from "@purser/router";

/** What the reference reads of the OpenAPI document. */
export interface ApiDocument {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; headers: Record<string, Explained> };
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  /** The variants of an object, each with a `type` of its own. */
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

interface Explained {
  description: string;
  schema: Schema;
}

export interface DocumentedParameter extends Explained {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
}

interface DocumentedOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security?: [];
  parameters?: DocumentedParameter[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, DocumentedResponse>;
}

export interface DocumentedResponse {
  description: string;
  headers: Record<string, object>;
  content?: Record<string, { schema: Schema }>;
}

/** One operation of the document, with the contract of its input. */
export interface Operation extends DocumentedOperation {
  tag: string;
  method: string;
  path: string;
  /** Undefined for an operation of better-auth, which is no procedure. */
  route: RestRoute | undefined;
  /** Whether the typed client has a method for it. */
  isInClient: boolean;
  contract: RestRoute["input"];
}

/** The page of a tag: `cards.policies` is on that of `cards`. */
export function areaOf(tag: string): string {
  return tag.split(".")[0]!;
}

/** A tag with its operations. */
export interface TagGroup {
  name: string;
  description: string;
  operations: readonly Operation[];
}

/** Reads the OpenAPI document with the operations that these settings allow. */
export function readApiDocument(settings: { sandbox: boolean }): {
  document: ApiDocument;
  operations: Operation[];
} {
  const document = openApiDocument(settings) as unknown as ApiDocument;
  const routes = new Map(restRoutes(routerOf(settings)).map((route) => [route.procedure, route]));
  const auth = new Map(authOperations.map((each) => [`/api/auth${each.path}`, each]));
  const inClient = new Set(authClientOperations);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => {
      const route = routes.get(documented.operationId);
      const account = auth.get(path);
      return {
        ...documented,
        tag: documented.tags[0],
        method: method.toUpperCase(),
        path,
        route,
        isInClient: account === undefined || inClient.has(account),
        contract: (route ?? account)!.input,
      };
    }),
  );
  return { document, operations };
}

type Components = ApiDocument["components"]["schemas"];

/** The name of the component that a schema refers to. */
export function componentName({ $ref }: Schema): string | undefined {
  return $ref?.replace("#/components/schemas/", "");
}

/** Replaces a reference with its target. Keywords next to the reference override it (OpenAPI 3.1). */
export function resolveSchema(schema: Schema, components: Components): Schema {
  const name = componentName(schema);
  if (name === undefined) return schema;
  const { $ref: _, ...own } = schema;
  return { ...components[name], ...own };
}

/** Splits a schema that allows null into the rest of it and whether it does. */
export function splitNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    const [only = "", ...more] = type.filter((each) => each !== "null");
    const remaining = more.length === 0 ? only : [only, ...more];
    return { schema: { ...rest, type: remaining }, isNullable: type.includes("null") };
  }
  const others = anyOf?.filter((each) => each.type !== "null");
  if (anyOf === undefined || others?.length !== 1 || anyOf.length === 1)
    return { schema, isNullable: anyOf?.some((each) => each.type === "null") ?? false };
  return { schema: { ...others[0], ...rest }, isNullable: true };
}
