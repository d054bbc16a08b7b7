export { type EventPlatform, announceAfterCommit, eventOrigin, recordEvent, recordEvents } from "./record.ts";
export {
  type EventOrigin,
  type NewEvent,
  type NewEventRow,
  createdEventId,
  eventColumns,
  eventRow,
  eventTransactionId,
  insertingEvents,
  insertingEventsFrom,
  openEventData,
} from "./rows.ts";
export { EventLog, eventChannel } from "./log.ts";
