import { authOperations } from "@purser/identity/contract";
import { routerOf } from "../app-router.ts";
import { type RestRoute, restRoutes } from "../rest.ts";
import { authOperation } from "./auth-operation.ts";
import { Issue, Problem, headers, securitySchemes } from "./components.ts";
import type { Json } from "./json-schema.ts";
import { restOperation, tagOf } from "./rest-operation.ts";
import { tags } from "./tags.ts";
import { webhookOperation } from "./webhook.ts";

/** Returns the OpenAPI 3.1 document of all REST routes, derived from the procedures' contracts, and of /api/auth. */
export function openApiDocument({ sandbox }: { sandbox: boolean }): Json {
  const schemas: Json = { Problem, Issue };
  const routes = restRoutes(routerOf({ sandbox }));
  const pathOf = pathTemplates(routes);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = pathOf(route);
    (paths[path] ??= {})[route.method.toLowerCase()] = restOperation(route, path, schemas);
  }
  for (const each of authOperations) {
    paths[`/api/auth${each.path}`] = { [each.method.toLowerCase()]: authOperation(each, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Purser",
      version: "1",
      description:
        "One service for a company's money. Amounts are integers in the smallest unit of their currency.",
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative to the address of this document, so it is right behind every proxy.
    servers: [{ url: "/", description: "The service that serves this document." }],
    tags: tags(["auth", ...routes.map(tagOf)]),
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    webhooks: { event: { post: webhookOperation } },
    components: { schemas, headers, securitySchemes },
  };
}

/**
 * Returns the path of each route in OpenAPI's notation. OpenAPI identifies paths that differ only in the names of their
 * parameters, so such routes share the names of the first.
 */
function pathTemplates(routes: readonly RestRoute[]): (route: RestRoute) => string {
  const templates = new Map<string, string>();
  const shapeOf = ({ path }: RestRoute) => path.replaceAll(/:\w+/g, ":");
  for (const route of routes) {
    const shape = shapeOf(route);
    if (!templates.has(shape)) templates.set(shape, route.path.replaceAll(/:(\w+)/g, "{$1}"));
  }
  return (route) => templates.get(shapeOf(route))!;
}
