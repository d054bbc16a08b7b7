import { Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { BankingTransactionsListInput } from "@purser/client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import shared from "../../../components/data-table.module.css";
import { Empty } from "../../../components/empty.tsx";
import { ButtonLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { useTransactionPages } from "./-pages.ts";
import { TransactionRow, headers, tracks } from "./-row.tsx";

/** Browsers limit the height of an element to 17 million pixels. The rows of a longer list share this many places. */
const places = 200_000;
const shift = places / 2;

interface TableProps {
  input: BankingTransactionsListInput;
  isFiltered: boolean;
  selected: string | undefined;
  onOpen: (id: string) => void;
}

/** All transactions, of which only the rows in view exist, and only the pages around them are in memory. */
export function TransactionTable({ input, isFiltered, selected, onOpen }: TableProps) {
  const isPhone = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false }) ?? false;
  const rowHeight = isPhone ? 60 : 44;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, last: 40, base: 0 });
  const pages = useTransactionPages(input, { first: view.base + view.first, last: view.base + view.last });
  const virtual = useWindowVirtualizer({
    count: Math.min(places, pages.count - view.base),
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: frame.current?.offsetTop ?? 0,
    useFlushSync: false,
  });
  const rows = virtual.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    const moved = first > places * 0.75 ? shift : view.base > 0 && first < places * 0.2 ? -shift : 0;
    if (moved !== 0) scrollBy(0, -moved * rowHeight);
    setView(({ base }) => ({ first: first - moved, last: last - moved, base: base + moved }));
  }, [first, last, rowHeight]);
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);

  if (pages.error !== null) return <Problem error={pages.error} retry={pages.retry} />;
  if (pages.isEmpty) return <NoTransactions isFiltered={isFiltered} />;
  return (
    <div
      role="table"
      aria-label="Transactions"
      aria-rowcount={pages.total === null ? -1 : pages.total + 1}
      className={shared.table}
      style={{ "--row-height": `${rowHeight}px` } as React.CSSProperties}
      onKeyDown={moveFocus}
    >
      <div role="rowgroup" className={shared.top} hidden={isPhone}>
        <div role="row" aria-rowindex={1} className={shared.head} style={{ gridTemplateColumns: tracks }}>
          {headers.map((header) => (
            <div
              key={header}
              role="columnheader"
              className={shared.cell}
              data-align={header === "Amount" ? "right" : undefined}
            >
              {header}
            </div>
          ))}
        </div>
      </div>
      <div ref={frame} role="rowgroup" className={shared.body} style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = pages.rowAt(view.base + index);
          return (
            <TransactionRow
              key={index}
              item={item}
              index={view.base + index}
              top={start - virtual.options.scrollMargin}
              isPhone={isPhone}
              isSelected={item !== undefined && item.id === selected}
              onOpen={onOpen}
            />
          );
        })}
      </div>
      {pages.total !== null && (
        <Text size="sm" c="dimmed" ta="center" py="md">
          {pages.total === 1 ? "1 transaction" : `${pages.total.toLocaleString()} transactions`}
        </Text>
      )}
    </div>
  );
}

function NoTransactions({ isFiltered }: { isFiltered: boolean }) {
  const { organizationId, can } = useOrganization();
  if (isFiltered)
    return (
      <Empty title="No transactions match">Change the filters, or search for the beginning of a word.</Empty>
    );
  return (
    <Empty
      title="No transactions yet"
      action={
        can("banking.link.create") && (
          <ButtonLink to="/$organizationId/accounts/connect" params={{ organizationId }}>
            Connect a bank
          </ButtonLink>
        )
      }
    >
      Transactions appear here as soon as a bank is connected.
    </Empty>
  );
}

/** Arrow keys move between the rows. The rows beside those in view exist, and the browser scrolls to what has focus. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as Element).closest<HTMLElement>("[data-row]");
  if (step === undefined || row === null) return;
  const next = Number(row.dataset["row"]) + step;
  const opener = event.currentTarget.querySelector<HTMLElement>(`[data-row="${next}"] [data-opener]`);
  if (opener === null) return;
  event.preventDefault();
  opener.focus();
}
