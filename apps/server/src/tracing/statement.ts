const longestText = 1000;

/** What a trace tells of a statement, whose text has placeholders where its values are. */
export function describeStatement(text: string): { summary: string; text: string } {
  return { summary: summaryOf(text), text: text.slice(0, longestText) };
}

/** What it does, and to which table first: `select memberships`, for whoever looks down a list. */
function summaryOf(text: string): string {
  const [operation = "statement"] = /[a-z]+/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update|join) (?:"?\w+"?\.)?"?([a-z]\w*)/i.exec(text) ?? [];
  return table === undefined ? operation.toLowerCase() : `${operation.toLowerCase()} ${table}`;
}
