const day = 24 * 60 * 60 * 1000;

/** The bank days whose beginning in UTC lies within a range, both ends included, as `YYYY-MM-DD`. */
export function daysWithin({ from, to }: { from?: Date | undefined; to?: Date | undefined }) {
  return {
    firstDay: from && dayOf(Math.ceil(from.getTime() / day) * day),
    lastDay: to && dayOf(Math.floor(to.getTime() / day) * day),
  };
}

function dayOf(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString().slice(0, 10);
  // Beyond the year 9999 there is no day that any bank could name.
  return text.startsWith("+") ? "9999-12-31" : text;
}
