import { formatDay, formatDistance, formatInstant, formatZonedDay } from "../data/format.ts";
import { useNow } from "../data/now.ts";
import { useOrganization } from "../data/organization.ts";

/**
 * An instant in the organization's time zone, which it names. With `dateOnly`, the day alone: a text such as
 * `2026-03-01` is a calendar day of a bank, which has no zone.
 */
export function DateTime({ at, dateOnly = false }: { at: Date | string; dateOnly?: boolean }) {
  const { timeZone } = useOrganization();
  if (typeof at === "string") return <time dateTime={at}>{formatDay(at)}</time>;
  const exact = formatInstant(at, timeZone);
  return (
    <time dateTime={at.toISOString()} title={exact}>
      {dateOnly ? formatZonedDay(at, timeZone) : exact}
    </time>
  );
}

/** How far away an instant is, such as "5 minutes ago", to the minute. The pointer shows the instant. */
export function Distance({ at }: { at: Date }) {
  const { timeZone } = useOrganization();
  return (
    <time dateTime={at.toISOString()} title={formatInstant(at, timeZone)}>
      {formatDistance(at, useNow())}
    </time>
  );
}
