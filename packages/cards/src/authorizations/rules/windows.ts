import { type cardLimitIntervals, dayMs, utcDay } from "@purser/core";

/** The range of dates with a year of four digits. */
const firstInstant = Date.parse("0001-01-01T00:00:00.000Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** The interval at which a limit resets: a calendar day, a week from Monday, a calendar month or a year. */
export type CalendarInterval = Exclude<(typeof cardLimitIntervals)[number], "PER_TRANSACTION" | "ALL_TIME">;

/** The calendar windows of an instant, each named by its first day as YYYY-MM-DD. */
export interface Windows {
  readonly day: string;
  /** The Monday of the week. */
  readonly week: string;
  readonly month: string;
  readonly year: string;
  /** 0 is Sunday. */
  readonly dayOfWeek: number;
}

/**
 * The windows of an instant in an IANA time zone. Instants before year 1 count as its first day, and instants after
 * year 9999 as its last. Throws RangeError for an unknown zone or an invalid date.
 */
export function windowsAt(instant: Date, timeZone: string): Windows {
  return windowsOf(localEpochDay(instant.getTime(), zoneOf(timeZone)));
}

/**
 * The first instant of the next window: when a limit of this interval resets. If clocks skip midnight, that is the
 * instant of the skip; if they skip a whole day, the start of the day after. It is never after year 9999.
 */
export function windowEnd(interval: CalendarInterval, instant: Date, timeZone: string): Date {
  const zone = zoneOf(timeZone);
  const target = nextStart(interval, localEpochDay(instant.getTime(), zone));
  if (target > lastInstant) return new Date(lastInstant);
  // No offset reaches a day, so the window does not end before this.
  let from = Math.max(instant.getTime(), target - dayMs);
  for (;;) {
    const { offset, until } = offsetPeriodAt(from, zone);
    // A clock that is set forward can be past the target when the period starts.
    const reached = Math.max(from, target - offset);
    if (reached < until) return new Date(reached);
    from = until;
  }
}

/** The number of local days since 1970-01-01, a Thursday. */
function localEpochDay(instant: number, zone: Zone): number {
  const local = instant + offsetPeriodAt(instant, zone).offset;
  return Math.floor(Math.min(Math.max(local, firstInstant), lastInstant) / dayMs);
}

function mondayOf(epochDay: number): number {
  return epochDay - remainder(epochDay + 3, 7);
}

/** The local time, as if it were UTC, at which the next window starts. */
function nextStart(interval: CalendarInterval, epochDay: number): number {
  if (interval === "DAILY") return (epochDay + 1) * dayMs;
  if (interval === "WEEKLY") return (mondayOf(epochDay) + 7) * dayMs;
  const date = new Date(epochDay * dayMs);
  if (interval === "MONTHLY") return date.setUTCMonth(date.getUTCMonth() + 1, 1);
  return date.setUTCFullYear(date.getUTCFullYear() + 1, 0, 1);
}

/** Returns the windows of a day in the card's time zone, as YYYY-MM-DD. */
export function windowsOfDay(date: string): Windows {
  return cached(windowsByDate, 1000, date, () => windowsOf(Date.parse(date) / dayMs));
}

const windowsByDate = new Map<string, Windows>();

const windowsByEpochDay = new Map<number, Windows>();

function windowsOf(epochDay: number): Windows {
  return cached(windowsByEpochDay, 1000, epochDay, () => {
    const date = dateText(epochDay);
    return {
      day: date,
      week: dateText(mondayOf(epochDay)),
      month: `${date.slice(0, 7)}-01`,
      year: `${date.slice(0, 4)}-01-01`,
      dayOfWeek: remainder(epochDay + 4, 7),
    };
  });
}

function dateText(epochDay: number): string {
  return utcDay(new Date(epochDay * dayMs));
}

/** A span of time with one UTC offset, in milliseconds, until an instant (exclusive). */
interface OffsetPeriod {
  readonly offset: number;
  readonly until: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Cached periods of UTC days, by the first instant of the day. */
  readonly days: Map<number, readonly [OffsetPeriod, OffsetPeriod]>;
}

const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  return cached(zones, 200, timeZone, () => ({
    format: new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }),
    days: new Map(),
  }));
}

function offsetPeriodAt(instant: number, zone: Zone): OffsetPeriod {
  const start = Math.floor(instant / dayMs) * dayMs;
  const [first, second] = cached(zone.days, 100, start, () => offsetPeriodsOf(start, zone));
  return instant < first.until ? first : second;
}

/** The offset periods of a UTC day: at most two, because no zone has ever changed its offset twice within three days. */
function offsetPeriodsOf(start: number, zone: Zone): readonly [OffsetPeriod, OffsetPeriod] {
  const end = start + dayMs;
  const before = offsetAt(start, zone);
  const after = offsetAt(end, zone);
  const change = before === after ? end : changeBetween(start, end, zone);
  return [
    { offset: before, until: change },
    { offset: after, until: end },
  ];
}

/** The first instant of the new offset, by bisection. */
function changeBetween(from: number, until: number, zone: Zone): number {
  const old = offsetAt(from, zone);
  let last = from;
  let first = until;
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2);
    if (offsetAt(middle, zone) === old) last = middle;
    else first = middle;
  }
  return first;
}

/** Reads the offset that Intl formats as GMT, GMT+05:45 or, for historical local mean times, GMT-00:01:15. */
function offsetAt(instant: number, zone: Zone): number {
  const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(zone.format.format(instant));
  if (match === null) throw new Error("Intl wrote a time without its offset");
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = match;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -size : size;
}

/** A full map is cleared; frequent keys soon return. */
function cached<Key, Value>(map: Map<Key, Value>, limit: number, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (map.size >= limit) map.clear();
  map.set(key, made);
  return made;
}

/** Unlike %, never negative: days before 1970 have negative numbers. */
function remainder(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}
