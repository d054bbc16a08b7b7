import { z } from "zod";

/** One fault of an input: its path, the rule, and a sentence. */
export interface Issue {
  path: (string | number)[];
  code: string;
  message: string;
}

const required = "Required";

// For a value of a few, zod has the same sentence whether it is absent or another one. Only here can the two be told apart: an
// issue does not keep the value.
z.config({
  customError: ({ code, input }) => (code === "invalid_value" && input === undefined ? required : undefined),
});

/** Returns the issues of an input, or of the part of it with this path. */
export function issuesOf({ issues }: z.ZodError, ...under: string[]): Issue[] {
  const name = (part: PropertyKey) => (typeof part === "symbol" ? part.toString() : part);
  return issues.map((issue) => ({
    path: [...under, ...issue.path.map(name)],
    code: issue.code,
    message: sentenceOf(issue),
  }));
}

/** Returns the first issues with their fields, for those who read only the message of an error. */
export function summaryOf(issues: readonly Issue[]): string {
  const sentences = issues.slice(0, 3).map(({ path, message }) => {
    const sentence = path.length === 0 ? message : `${path.join(".")}: ${message}`;
    return sentence.length > 300 ? `${sentence.slice(0, 299)}…` : `${sentence}.`;
  });
  const others = issues.length - sentences.length;
  const rest = others === 0 ? [] : [`${others} more: see the issues.`];
  return ["The input is not valid.", ...sentences, ...rest].join(" ");
}

/** A contract's own sentence, or one in place of zod's, which is about its types ("expected int, received number"). */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith(", received undefined"))
    return issue.path.length === 0 ? "An input is required" : required;
  if (!/^(?:Invalid (?:input|option)|Too (?:big|small)): /.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `Must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`;
    case "invalid_value":
      return `Must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_big":
      return `Must ${bound(issue, issue.maximum, "at most", "less than")}`;
    case "too_small":
      return `Must ${bound(issue, issue.minimum, "at least", "more than")}`;
    default:
      return issue.message;
  }
}

const typeNames: Partial<Record<string, string>> = {
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

const units: Partial<Record<string, string>> = { string: "characters", array: "items", record: "keys" };

function bound(
  { origin, inclusive = true }: { origin: string; inclusive?: boolean },
  limit: number | bigint,
  within: string,
  beyond: string,
): string {
  const unit = units[origin];
  const range = `${inclusive ? within : beyond} ${limit}`;
  return unit === undefined ? `be ${range}` : `have ${range} ${limit === 1 ? unit.slice(0, -1) : unit}`;
}
