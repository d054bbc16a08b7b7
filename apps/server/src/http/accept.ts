/** Returns the weight that an `Accept` header gives a media type (RFC 9110, 12.5.1): 0 if it is not accepted. */
function weightOf(accept: string, mediaType: string): number {
  const [type] = mediaType.split("/");
  const weights = readWeights(accept);
  return weights.get(mediaType) ?? weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
}

/**
 * Reads the weights of an `Accept` or `Accept-Encoding` header, by media range or encoding in lower case. An unreadable
 * weight counts as a refusal.
 */
export const readWeights = (header: string): ReadonlyMap<string, number> =>
  new Map(header.toLowerCase().split(",").map(readWeight));

function readWeight(entry: string): [value: string, weight: number] {
  const [value = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [value, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** Whether a client prefers CSV to JSON. If it accepts both alike, it gets JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  return accept !== undefined && weightOf(accept, "text/csv") > weightOf(accept, "application/json");
}
