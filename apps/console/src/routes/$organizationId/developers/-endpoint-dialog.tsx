import { Anchor, Button, Code, Group, Modal, MultiSelect, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type WebhookEndpoint, type WebhookEndpointWithSecret, referenceUrl } from "@purser/client";
import { mayDiscard } from "../../../components/may-leave.ts";
import { ShownOnce, staysOpen } from "../../../components/secret.tsx";
import { announceLostAnswer, useAction } from "../../../data/action.tsx";
import { undefinedIfApplied } from "../../../data/attempts.ts";
import { baseUrl } from "../../../data/base-url.ts";
import { changedFields } from "../../../data/changed-fields.ts";
import { useEditForm } from "../../../data/edit-form.ts";
import { type EventArea, eventAreas } from "../../../data/event-areas.ts";
import { type KnownEventType, typesOfArea } from "../../../data/event-labels.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useUnstoredSecret } from "../../../data/unsaved.ts";

/** All types of events, grouped by the part of the service. */
export const eventTypeChoices = (Object.keys(eventAreas) as EventArea[]).map((area) => ({
  group: eventAreas[area].label,
  items: typesOfArea(area),
}));

type EndpointValues = {
  url: string;
  types: KnownEventType[];
  description: string;
};

/** Adds an endpoint, or changes one. A new one has a secret, which the page shows once. */
export function EndpointDialog({
  endpoint,
  isOpen,
  onClose,
  onSecret,
}: {
  endpoint?: WebhookEndpoint;
  isOpen: boolean;
  onClose: () => void;
  onSecret?: (secret: string) => void;
}) {
  const { organizationId } = useOrganization();
  const { url = "", types = [], description = null } = endpoint ?? {};
  // A later version may have stored other types. The service keeps them, and refuses them in a change of the types.
  const before = { url, types: types as KnownEventType[], description };
  const form = useEditForm<EndpointValues>({ ...before, description: description ?? "" });
  const close = () => {
    form.reset();
    onClose();
  };
  const save = useAction(
    async (
      values: EndpointValues,
      attempt,
    ): Promise<WebhookEndpoint | WebhookEndpointWithSecret | undefined> => {
      const input = { ...values, description: values.description.trim() || null };
      if (endpoint === undefined)
        return undefinedIfApplied(purser.webhookEndpoints.create({ organizationId, ...input }, attempt));
      return purser.webhookEndpoints.update({ id: endpoint.id, ...changedFields(before, input) });
    },
    {
      ...(endpoint !== undefined && { done: "The endpoint is saved" }),
      invalidates: [queries.webhookEndpoints.list],
      form,
      onDone: (saved) => {
        if (saved === undefined)
          announceLostAnswer("The endpoint was created, but its secret was lost. Replace the secret.");
        else if ("secret" in saved) onSecret?.(saved.secret);
        close();
      },
    },
  );
  const isCreating = endpoint === undefined && save.isPending;
  useUnstoredSecret(isCreating);
  return (
    <Modal
      opened={isOpen}
      onClose={() => void mayDiscard(form).then((agreed) => agreed && close())}
      {...staysOpen(isCreating)}
      title={endpoint === undefined ? "Add a webhook endpoint" : "Change the webhook endpoint"}
    >
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <EndpointFields form={form} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isCreating} onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {endpoint === undefined ? "Add the endpoint" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function EndpointFields({ form }: { form: UseFormReturnType<EndpointValues> }) {
  return (
    <>
      <TextInput
        type="url"
        label="Address"
        description="An https address that the internet can reach."
        placeholder="https://hooks.example.com/purser"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("url")}
      />
      <MultiSelect
        label="Events"
        description="Leave it empty for all."
        placeholder={form.values.types.length === 0 ? "All events" : ""}
        data={eventTypeChoices}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage="No such event"
        {...form.getInputProps("types")}
      />
      <TextInput
        label="Description"
        description="What the endpoint is for, such as “Accounting”."
        autoComplete="off"
        {...form.getInputProps("description")}
      />
    </>
  );
}

/** Shows the secret of a new endpoint, or its new secret. */
export function SecretDialog({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  return (
    <Modal opened={secret !== undefined} onClose={onClose} {...staysOpen(true)} title="Signing secret">
      <ShownOnce value={secret ?? ""} label="Signing secret" onDone={onClose}>
        <Text size="sm">
          Verify each request with this secret before you trust it: by <Code>verifyWebhook</Code> of{" "}
          <Code>@purser/client/webhooks</Code>, or a library of Standard Webhooks.
        </Text>
        <Anchor size="sm" href={referenceUrl(baseUrl, "webhookEndpoints")} target="_blank" rel="noreferrer">
          Webhooks in the API reference (new tab)
        </Anchor>
      </ShownOnce>
    </Modal>
  );
}
