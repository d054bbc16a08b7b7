export {
  type EventPlatform,
  type EventRow,
  type NewEvent,
  eventRows,
  openEventData,
  recordEvent,
  recordEvents,
} from "./record.ts";
export { EventLog, eventChannel } from "./log.ts";
