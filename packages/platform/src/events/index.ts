export {
  type EventPlatform,
  type NewEventRow,
  type NewEvent,
  announceAfterCommit,
  eventRows,
  insertingEvents,
  openEventData,
  recordEvent,
  recordEvents,
} from "./record.ts";
export { EventLog, eventChannel } from "./log.ts";
