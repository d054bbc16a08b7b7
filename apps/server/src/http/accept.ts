/** Returns the weight that an `Accept` header gives a media type (RFC 9110, 12.5.1): 0 if it is not accepted. */
function weightOf(accept: string, mediaType: string): number {
  const [type] = mediaType.split("/");
  const weights = new Map(accept.toLowerCase().split(",").map(readRange));
  return weights.get(mediaType) ?? weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
}

function readRange(entry: string): [range: string, weight: number] {
  const [range = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [range, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** Whether a client prefers CSV to JSON. If it accepts both alike, it gets JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  return accept !== undefined && weightOf(accept, "text/csv") > weightOf(accept, "application/json");
}
