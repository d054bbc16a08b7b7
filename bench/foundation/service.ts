import { serveApp } from "../serve.ts";
import { benchRouter } from "./router.ts";

// The service with only the measured procedures.
await serveApp(benchRouter);
