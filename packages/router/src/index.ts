export { appRouter, type AppRouter, createCaller, routerOf } from "./app-router.ts";
export { type Context, type ServicePlatform } from "./context.ts";
export { audiences } from "./meta.ts";
export { openApiDocument } from "./openapi/index.ts";
export { organizations } from "./organizations/index.ts";
export { procedureProblem } from "./problems.ts";
export { compileProcedures } from "./compiled-procedures.ts";
export { configOf, isList, proceduresOf, wrapProcedures } from "./procedures.ts";
export { type RestRoute, restRoutes } from "./rest.ts";
export { type TrackedStream, isTrackedStream, streamedValue } from "./stream.ts";
export { createCallerFactory, publicProcedure, router } from "./trpc.ts";
export {
  type TrpcRequest,
  handleTrpcRequest,
  errorShape,
  subscribeTrpc,
  withBatchInputs,
} from "./trpc-http.ts";
