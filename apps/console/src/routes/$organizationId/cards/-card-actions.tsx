import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CardListItem } from "@purser/client";
import {
  IconEdit,
  IconFlame,
  IconPlayerPause,
  IconPlayerPlay,
  IconSnowflake,
  IconTrash,
} from "@tabler/icons-react";
import { confirm } from "../../../components/confirm.tsx";
import { lastDigits } from "../../../data/format.ts";
import { CardEdit } from "./-card-edit.tsx";
import { CardReveal } from "./-card-reveal.tsx";
import { stopWords, useCardStatus } from "./-card-status.ts";

/** What this user may do with this card. */
export function CardActions({ card }: { card: CardListItem }) {
  const [isEditing, editing] = useDisclosure();
  const { status, nextStatuses, canReveal, canUpdate } = card;
  const { change, close: end } = useCardStatus(card);
  if (nextStatuses.length === 0) return null;

  const isFrozen = status === "FROZEN";
  const close = async () => {
    const agreed = await confirm({
      title: "Close this card?",
      children: `The card ${lastDigits(card.lastFour)} declines every purchase from now on, and cannot be opened again. What merchants hold already can still be cleared.`,
      action: "Close the card",
    });
    if (agreed) end.mutate();
  };
  return (
    <>
      {canReveal && <CardReveal card={card} />}
      {status === "ACTIVE" && nextStatuses.includes("PAUSED") && (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} />}
          loading={change.isPending}
          disabled={end.isPending}
          title={stopWords.PAUSED}
          onClick={() => change.mutate("PAUSED")}
        >
          Pause
        </Button>
      )}
      {status === "PAUSED" && nextStatuses.includes("ACTIVE") && (
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={change.isPending}
          disabled={end.isPending}
          onClick={() => change.mutate("ACTIVE")}
        >
          Resume
        </Button>
      )}
      {nextStatuses.includes(isFrozen ? "ACTIVE" : "FROZEN") && (
        <Button
          variant="default"
          leftSection={isFrozen ? <IconFlame size={16} /> : <IconSnowflake size={16} />}
          loading={change.isPending}
          disabled={end.isPending}
          {...(!isFrozen && { title: stopWords.FROZEN })}
          onClick={() => change.mutate(isFrozen ? "ACTIVE" : "FROZEN")}
        >
          {isFrozen ? "Unfreeze" : "Freeze"}
        </Button>
      )}
      <CardMenu
        canUpdate={canUpdate}
        isClosing={end.isPending}
        isDisabled={change.isPending}
        onEdit={editing.open}
        onClose={() => void close()}
      />
      <CardEdit card={card} isOpen={isEditing} onClose={editing.close} />
    </>
  );
}

function CardMenu({
  canUpdate,
  isClosing,
  isDisabled,
  onEdit,
  onClose,
}: {
  canUpdate: boolean;
  isClosing: boolean;
  isDisabled: boolean;
  onEdit: () => void;
  onClose: () => void;
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={isClosing} disabled={isDisabled}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {canUpdate && (
          <Menu.Item leftSection={<IconEdit size={16} />} onClick={onEdit}>
            Change holder, policy or name
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onClose}>
          Close the card
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
