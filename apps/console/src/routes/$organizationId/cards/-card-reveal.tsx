import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CardListItem, CardRevealLink } from "@purser/client";
import { IconEye, IconExternalLink } from "@tabler/icons-react";
import { useEffect, useState } from "react";
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
  // A notification says why there is no link. The service does not repeat one whose answer was lost, so the person asks again.
  const reveal = useAction(() => purser.cards.reveal({ organizationId, cardId: card.id }, { retries: 0 }));
  const isEnded = useIsEnded(reveal.data);
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
        opened={isOpen && !reveal.isError}
        onClose={close}
        title={`Number of the card ${lastDigits(card.lastFour)}`}
        closeButtonProps={{ "aria-label": "Close this window" }}
      >
        <Stack>
          <Text size="sm">
            The number, expiry and CVC open on a page of their own. It opens once, within a minute, so make
            sure that nobody looks over your shoulder.
          </Text>
          {isEnded ? (
            <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate()}>
              The minute is over. Get a new page
            </Button>
          ) : (
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
          )}
        </Stack>
      </Modal>
    </>
  );
}

/** The clock of a computer may be minutes fast. Its owner must still have time to open the link. */
const shortestMs = 20_000;

/** Whether the time of a link is over. */
function useIsEnded(link: CardRevealLink | undefined): boolean {
  const [ended, setEnded] = useState<CardRevealLink>();
  useEffect(() => {
    if (link === undefined) return undefined;
    const remainingMs = Math.max(shortestMs, link.expiresAt.getTime() - Date.now());
    const timer = setTimeout(() => setEnded(link), remainingMs);
    return () => clearTimeout(timer);
  }, [link]);
  return link !== undefined && ended === link;
}
