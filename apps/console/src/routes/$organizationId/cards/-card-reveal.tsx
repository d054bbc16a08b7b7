import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CardListItem } from "@purser/client";
import { IconEye, IconExternalLink } from "@tabler/icons-react";
import { Problem } from "../../../components/problem.tsx";
import { useAction } from "../../../data/action.tsx";
import { lastDigits } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser } from "../../../data/purser.ts";

/**
 * Leads to the page that shows the card's number once. That page may be in no frame and has a policy of its own, so the
 * number never passes through the console.
 */
export function CardReveal({ card }: { card: CardListItem }) {
  const { organizationId } = useOrganization();
  const [isOpen, { open, close }] = useDisclosure();
  const reveal = useAction(() => purser.cards.reveal({ organizationId, cardId: card.id }));
  const start = () => {
    open();
    reveal.mutate();
  };
  return (
    <>
      <Button leftSection={<IconEye size={16} />} onClick={start}>
        Show number
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Number of the card ${lastDigits(card.lastFour)}`}
        closeButtonProps={{ "aria-label": "Close this window" }}
      >
        {reveal.isError ? (
          <Problem error={reveal.error} retry={() => reveal.mutate()} />
        ) : (
          <Stack>
            <Text size="sm">
              The number, expiry and CVC open on a page of their own. It opens once, within a minute, so make
              sure that nobody looks over your shoulder.
            </Text>
            <Button
              component="a"
              href={reveal.data?.url}
              target="_blank"
              rel="noreferrer"
              loading={reveal.data === undefined}
              leftSection={<IconExternalLink size={16} />}
              // The link keeps its address: React would take it away before the browser follows it.
              onClick={close}
            >
              Open the page with the number
            </Button>
          </Stack>
        )}
      </Modal>
    </>
  );
}
