import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isProblem } from "@purser/client";
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { adviceOf, titleOf } from "../components/problem.tsx";

interface ActionOptions<Input, Output> {
  /** What to say when it has worked. Without it, the page itself shows the change. */
  done?: string | ((output: Output, input: Input) => string);
  /** What to read again: queries of the client. */
  invalidates?: readonly { queryKey: () => readonly unknown[] }[];
  /** Takes it back. The notification then has a button for it. */
  undo?: (output: Output, input: Input) => Promise<unknown>;
  /** Shows the change before the service has made it. Returns what takes it back if the service refuses. */
  optimistic?: (input: Input) => () => void;
  /** A form that shows the problems of its fields. */
  form?: { setErrors: (errors: Record<string, string>) => void };
  /** The field of the form that a problem is about, by the problem's code, such as INVALID_PASSWORD. */
  fieldOf?: Readonly<Record<string, string>>;
  onDone?: (output: Output, input: Input) => unknown;
}

/**
 * A change of something at the service: with a notification, the way back, and a problem that says what to do.
 *
 * ```tsx
 * const freeze = useAction((status: CardStatus) => purser.cards.updateStatus({ organizationId, cardId, status }), {
 *   done: "The card is frozen",
 *   invalidates: [queries.cards.list],
 *   undo: () => purser.cards.updateStatus({ organizationId, cardId, status: "ACTIVE" }),
 * });
 * ```
 */
export function useAction<Input = void, Output = unknown>(
  mutationFn: (input: Input) => Promise<Output>,
  options: ActionOptions<Input, Output> = {},
): UseMutationResult<Output, unknown, Input, (() => void) | undefined> {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      (options.invalidates ?? []).map((query) => client.invalidateQueries({ queryKey: query.queryKey() })),
    );
  return useMutation<Output, unknown, Input, (() => void) | undefined>({
    mutationFn,
    onMutate: (input) => options.optimistic?.(input),
    async onSuccess(output, input) {
      const { done, undo } = options;
      if (done !== undefined) {
        const sentence = typeof done === "string" ? done : done(output, input);
        announceDone(sentence, undo && (() => undo(output, input).then(refresh)));
      }
      await refresh();
      await options.onDone?.(output, input);
    },
    onError(error, _, takeBack) {
      takeBack?.();
      const fields = problemsByField(error, options.fieldOf);
      if (options.form !== undefined && Object.keys(fields).length > 0) options.form.setErrors(fields);
      else announceProblem(error);
    },
  });
}

/** The message of each invalid field, by the path that `useForm` of Mantine gives it, such as `limits.0.amount`. */
function problemsByField(
  error: unknown,
  fieldOf: Readonly<Record<string, string>> = {},
): Record<string, string> {
  if (!isProblem(error)) return {};
  const field = fieldOf[error.code];
  if (field !== undefined) return { [field]: error.message };
  return Object.fromEntries(
    error.issues.filter(({ path }) => path.length > 0).map(({ path, message }) => [path.join("."), message]),
  );
}

/** Says that something failed, what to do, and the request to name when asking for help. */
function announceProblem(error: unknown): void {
  const requestId = isProblem(error) ? error.requestId : undefined;
  const details = isProblem(error) ? error.issues.map(({ message }) => message) : [];
  notifications.show({
    color: "red",
    title: isProblem(error) ? titleOf(error) : "That did not work",
    message: (
      <>
        <Text size="sm">{details.length > 0 ? details.join(" · ") : adviceOf(error)}</Text>
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request {requestId}
          </Text>
        )}
      </>
    ),
    autoClose: false,
    role: "alert",
  });
}

/** Says that something worked, with a button that takes it back if there is a way. */
function announceDone(sentence: string, undo?: () => Promise<unknown>): void {
  const id: string = notifications.show({
    message: sentence,
    autoClose: undo === undefined ? 4000 : 10_000,
    ...(undo !== undefined && {
      message: (
        <>
          {sentence}{" "}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              notifications.hide(id);
              undo().catch(announceProblem);
            }}
          >
            Undo
          </Button>
        </>
      ),
    }),
  });
}
