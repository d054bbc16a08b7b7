import { integerBetween } from "./fields.ts";

/** The variables for what clients may use of a process before anything is known about them. */
export const httpLimitVariables = () => ({
  MAX_CONNECTIONS: integerBetween(10, 1_000_000)
    .default(4000)
    .describe(
      "The maximum number of open HTTP connections per process, at least 10. Beyond it, silent, idle and slow ones give way to new ones. Half of them may be streams of events.",
    ),
  BODY_MEMORY_MIB: integerBetween(8, 65_536)
    .default(32)
    .describe(
      "The memory for request bodies over 16 KiB, per process, at least 8: half for the API, a quarter for webhooks, a quarter for card issuers. Requests that do not fit get 503.",
    ),
  RESPONSE_MEMORY_MIB: integerBetween(8, 65_536)
    .default(64)
    .describe(
      "The memory for responses that clients have not read yet, per process, at least 8. Beyond it, the slowest clients are cut off.",
    ),
  HEADER_TIMEOUT_SECONDS: integerBetween(1, 600)
    .default(15)
    .describe("How long a client may take to send the headers of a request."),
  REQUEST_TIMEOUT_SECONDS: integerBetween(1, 3600)
    .default(30)
    .describe("How long a client may take to send a whole request."),
  RESPONSE_TIMEOUT_SECONDS: integerBetween(1, 3600)
    .default(60)
    .describe("How long a client may take to read a response."),
  SHUTDOWN_DELAY_SECONDS: integerBetween(0, 600)
    .default(0)
    .describe(
      "How long the process still accepts connections after SIGTERM while `/health/ready` is 503. Behind a load balancer, set it longer than its probes take to notice.",
    ),
});
