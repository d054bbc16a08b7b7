import { Problem } from "@purser/core";
import { authOperations } from "./contract/index.ts";
import { type AuthMethod, type Endpoint, endpoints } from "./endpoints.ts";

export const basePath = "/api/auth";

export interface Route {
  path: string;
  method: AuthMethod;
  endpoint: Endpoint;
}

/**
 * Finds the endpoint of a request. Throws NOT_FOUND or METHOD_NOT_ALLOWED. Compares the path without normalization:
 * another spelling of the path could bypass the limits of the endpoint.
 */
export function findRoute(request: Request): Route {
  const { pathname } = new URL(request.url);
  const path = pathname.slice(basePath.length);
  const methods = methodsOf(path);
  if (!pathname.startsWith(`${basePath}/`) || methods === undefined) throw new Problem("NOT_FOUND");
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (method !== "GET" && method !== "POST") throw new Problem("METHOD_NOT_ALLOWED");
  const endpoint = methods[method];
  if (endpoint === undefined) throw new Problem("METHOD_NOT_ALLOWED");
  return { path, method, endpoint };
}

const pathsOf = (operations: typeof authOperations) => new Set<string>(operations.map(({ path }) => path));
const publicPaths = pathsOf(authOperations.filter((operation) => operation.public));
const openingPaths = pathsOf(authOperations.filter((operation) => operation.opensSession));

/** Whether an endpoint needs no session. */
export const isPublic = ({ path }: Route): boolean => publicPaths.has(path);

/** Whether an endpoint opens a session. */
export const opensSession = ({ path }: Route): boolean => openingPaths.has(path);

/** Returns the value of the Allow header for a request's path. */
export function allowOf(request: Request): string {
  const methods = Object.keys(methodsOf(new URL(request.url).pathname.slice(basePath.length)) ?? {});
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
}

function methodsOf(path: string) {
  return Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
}
