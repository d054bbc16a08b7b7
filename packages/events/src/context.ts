import type { Platform } from "@purser/platform";
import type { EventListener } from "./listener.ts";
import type { EventStreams } from "./stream/event-streams.ts";

/** The platform with the streams that are open in this process. */
export type EventsPlatform = Platform & {
  eventListener: EventListener;
  eventStreams: EventStreams;
};
