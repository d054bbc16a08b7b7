import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isProblem } from "@purser/client";
import { invalidateWithRunningReads } from "@purser/client/tanstack";
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { type ChangeAttempt, createChangeAttempts } from "./attempts.ts";
import { type PlacedIssues, placeIssues } from "./placed-issues.ts";
import { adviceFor, titleOf } from "./problem-labels.ts";
import { leaveToSignIn } from "./sign-in.ts";
import { untilStaying } from "./unsaved.ts";

interface ActionOptions<Input, Output> {
  /** What to say when it has worked. Without it, the page itself shows the change. */
  done?: string | ((output: Output, input: Input) => string | undefined);
  /** What to read again, after a success and after a refusal: queries of the client. */
  invalidates?: readonly { queryKey: () => readonly unknown[] }[];
  /** Takes it back. The notification then has a button for it. */
  undo?: (output: Output, input: Input) => Promise<unknown>;
  /** Shows the change before the service has made it. Returns what takes it back if the service refuses. */
  optimistic?: (input: Input) => () => void;
  /** A form that shows the problems of its fields. Its values have the paths of the input. */
  form?: { setErrors: (errors: Record<string, string>) => void; getValues: () => object };
  /** The field of the form that a problem is about, by the problem's code, such as INVALID_PASSWORD. */
  fieldOf?: Readonly<Record<string, string>>;
  onDone?: (output: Output, input: Input) => unknown;
  /** Opens the page that comes next. A person who has opened another one meanwhile stays there. */
  next?: (output: Output, input: Input) => unknown;
  /** The page outside of the console that comes next, in this window. A filter or a tab is no other page then. */
  leadsTo?: (output: Output) => string;
}

/** What an action was started with and where, and what takes its optimistic change back. */
interface Started<Input, Output> {
  options: ActionOptions<Input, Output>;
  rollBack: (() => void) | undefined;
  page: string;
}

/**
 * A change of something at the service: with a notification, the way back, and a problem that says what to do.
 *
 * It is pending until the page shows the new state. An action may replace an id, and the next click must not send the old
 * one. A refusal often means that somebody else changed the thing, so it reads the same queries again.
 *
 * Pass the attempt on where twice is not the same as once: what is created then is created once, however often a person
 * tries again after an answer was lost.
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
  mutationFn: (input: Input, attempt: ChangeAttempt) => Promise<Output>,
  options: ActionOptions<Input, Output> = {},
): UseMutationResult<Output, unknown, Input, Started<Input, Output>> {
  const client = useQueryClient();
  const router = useRouter();
  const openPage = () => {
    const { pathname, search } = router.history.location;
    return options.leadsTo === undefined ? pathname + search : pathname;
  };
  const [attempts] = useState(createChangeAttempts);
  const refresh = () =>
    Promise.all(
      (options.invalidates ?? []).map((query) =>
        invalidateWithRunningReads(client, { queryKey: query.queryKey() }),
      ),
    );
  return useMutation<Output, unknown, Input, Started<Input, Output>>({
    mutationFn: (input) => attempts(input, (attempt) => mutationFn(input, attempt)),
    // The options of this moment: a live event may render the new state before the response arrives, and `undo` must
    // lead back to the old one.
    onMutate: (input) => ({ options, rollBack: options.optimistic?.(input), page: openPage() }),
    async onSuccess(output, input, { options: { done, undo }, page }) {
      await refresh();
      const sentence = typeof done === "function" ? done(output, input) : done;
      if (sentence !== undefined) announceDone(sentence, undo && (() => undo(output, input).then(refresh)));
      await options.onDone?.(output, input);
      // A person who stays on the page has it back: the router would never say that the next one is open.
      if (openPage() !== page) return;
      const url = options.leadsTo?.(output);
      const next = url === undefined ? options.next?.(output, input) : leaveTo(url);
      await Promise.race([next, untilStaying()]);
    },
    async onError(error, _, started) {
      started?.rollBack?.();
      if (isProblem(error, "UNAUTHENTICATED")) {
        void leaveToSignIn();
        return;
      }
      const { fields, others } = placedProblem(error, options);
      const isPlaced = Object.keys(fields).length > 0;
      if (isPlaced) options.form?.setErrors(fields);
      if (!isPlaced || others.length > 0) announceProblem(error, others);
      if (isPlaced) return;
      // Without an answer, reading would fail as well.
      if (isProblem(error) && error.status !== 0) await refresh();
    },
  });
}

/** A browser that has not left by then was stopped, or has opened the page in an app. */
const leavingMs = 15_000;

/** Opens a page outside of the console. Resolves when the person is back on this page, or has not left it. */
function leaveTo(url: string): Promise<void> {
  location.assign(url);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, leavingMs);
    const onReturn = () => {
      clearTimeout(timer);
      resolve();
    };
    addEventListener("pageshow", onReturn, { once: true });
  });
}

/** The messages that the fields of the form show, and those for a notification. */
function placedProblem(
  error: unknown,
  { form, fieldOf = {} }: Pick<ActionOptions<never, never>, "form" | "fieldOf">,
): PlacedIssues {
  if (!isProblem(error)) return { fields: {}, others: [] };
  const field = fieldOf[error.code];
  if (form !== undefined && field !== undefined) return { fields: { [field]: error.message }, others: [] };
  return placeIssues(error.issues, form?.getValues() ?? {});
}

/** Says that something failed, what to do, and the request to name when asking for help. */
export function announceProblem(
  error: unknown,
  details: readonly string[] = [],
  title: string = isProblem(error) ? titleOf(error) : "That did not work",
): void {
  const requestId = isProblem(error) ? error.requestId : undefined;
  notifications.show({
    color: "red",
    title,
    message: (
      <>
        <Text size="sm">{details.length > 0 ? details.join(" · ") : adviceFor(error)}</Text>
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

/** Says that something was done, but that what only its answer had is gone. Who tries again does it twice. */
export const announceLostAnswer = (advice: string): void =>
  announceProblem(undefined, [advice], "It worked, but the answer was lost");

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
              undo().catch((error: unknown) => announceProblem(error));
            }}
          >
            Undo
          </Button>
        </>
      ),
    }),
  });
}
