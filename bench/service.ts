import { serveApp } from "./serve.ts";

// The service with all of its procedures.
await serveApp();
