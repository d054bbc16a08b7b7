export {
  type EventPlatform,
  type NewEventRow,
  type NewEvent,
  eventRows,
  openEventData,
  recordEvent,
  recordEvents,
} from "./record.ts";
export { EventLog, eventChannel } from "./log.ts";
