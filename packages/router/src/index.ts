export { appRouter, type AppRouter, createCaller, routerOf } from "./app-router.ts";
export { type Context, type ServicePlatform } from "./context.ts";
export { audiences } from "./meta.ts";
export { openApiDocument } from "./openapi/index.ts";
export { organizations } from "./organizations/index.ts";
export { procedureProblem } from "./problems.ts";
export { configOf, proceduresOf, wrapProcedures } from "./procedures.ts";
export { type RestRoute, restRoutes } from "./rest.ts";
export { createCallerFactory, publicProcedure, router } from "./trpc.ts";
