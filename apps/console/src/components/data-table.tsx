import { Box, Text, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import classes from "./data-table.module.css";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** A track of a CSS grid, such as `120px`. Default: an equal share. */
  width?: string;
  align?: "left" | "right";
}

/** A page of the console, as `linkOptions` of the router types it. */
type RowTarget = Pick<LinkProps, "to" | "params" | "search">;

interface DataTableProps<Row> {
  /** What screen readers call the table. */
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** A row on a phone. Default: the cells under each other, of which the first needs no header. */
  card?: (row: Row) => ReactNode;
  /** Where a row leads. Its first cell becomes the link, which takes up the whole row. */
  link?: (row: Row) => RowTarget;
  /** Opens a row beside the table. The first cell becomes its button. */
  onOpen?: (row: Row) => void;
  selectedKey?: string | undefined;
  /** Reads the next page of an endless list. Called when its end comes near. */
  more?: () => unknown;
  hasMore?: boolean;
  rowHeight?: number;
}

/** How many rows before the end the next page is read. */
const ahead = 60;

/**
 * A table of which only the rows in view exist, so that a million of them scroll like ten. Arrow keys move between rows
 * that open, and Enter opens one.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, rowKey, columns, link, onOpen, more, hasMore = false, rowHeight = 48 } = props;
  const isPhone = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const frame = useRef<HTMLDivElement>(null);
  const top = useTop(frame);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rowKey(rows[index]!),
    overscan: 12,
    scrollMargin: top,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - ahead) more?.();
  }, [hasMore, last, rows.length, more]);
  const tracks = columns.map(({ width = "minmax(0, 1fr)" }) => width).join(" ");
  return (
    <Box
      role="table"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      className={classes.table}
      style={{ "--row-height": `${rowHeight}px` }}
      onKeyDown={(link ?? onOpen) && moveBetweenRows}
    >
      {!isPhone && (
        <div role="rowgroup" className={classes.top}>
          <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: tracks }}>
            {columns.map(({ header, align }) => (
              <div key={header} role="columnheader" className={classes.cell} data-align={align}>
                {header}
              </div>
            ))}
          </div>
        </div>
      )}
      <div
        ref={frame}
        role={rows.length === 0 ? undefined : "rowgroup"}
        className={classes.body}
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map(({ index, start }) => (
          <TableRow
            key={rowKey(rows[index]!)}
            {...props}
            row={rows[index]!}
            index={index}
            isPhone={isPhone}
            measure={virtual.measureElement}
            style={{
              transform: `translateY(${start - top}px)`,
              ...(!isPhone && { gridTemplateColumns: tracks }),
            }}
          />
        ))}
      </div>
    </Box>
  );
}

function TableRow<Row>({
  row,
  index,
  isPhone,
  measure,
  style,
  rowKey,
  columns,
  card,
  link,
  onOpen,
  selectedKey,
}: DataTableProps<Row> & {
  row: Row;
  index: number;
  isPhone: boolean;
  measure: (element: HTMLElement | null) => void;
  style: React.CSSProperties;
}) {
  const opener = (content: ReactNode) =>
    link ? (
      <Link {...link(row)} className={`${classes.opener} ${classes.link}`} data-row-opener>
        {content}
      </Link>
    ) : onOpen ? (
      <UnstyledButton className={classes.opener} data-row-opener aria-haspopup="dialog">
        {content}
      </UnstyledButton>
    ) : (
      content
    );
  return (
    <div
      ref={measure}
      data-index={index}
      role="row"
      aria-rowindex={index + 2}
      className={isPhone ? `${classes.row} ${classes.card}` : classes.row}
      style={style}
      data-opens={(link ?? onOpen) && true}
      data-selected={rowKey(row) === selectedKey || undefined}
      // The button in the first cell is inside, and its clicks come here too. Other controls keep theirs.
      onClick={onOpen && ((event) => isOwnControl(event.target as Element) || onOpen(row))}
    >
      {isPhone && card !== undefined ? (
        <div role="cell">{opener(card(row))}</div>
      ) : (
        columns.map(({ header, align, cell }, position) => (
          <div key={header} role="cell" className={classes.cell} data-align={align}>
            {isPhone && position > 0 && (
              <Text span className={classes.label}>
                {header}
              </Text>
            )}
            {position === 0 ? (
              opener(cell(row))
            ) : isPhone ? (
              <div className={classes.value}>{cell(row)}</div>
            ) : (
              cell(row)
            )}
          </div>
        ))
      )}
    </div>
  );
}

const isOwnControl = (target: Element): boolean =>
  target.closest("a, button:not([data-row-opener]), input, select, textarea, label") !== null;

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as Element).closest('[role="row"]');
  if (step === undefined || row === null || !(event.target as Element).matches("[data-row-opener]")) return;
  const index = Number((row as HTMLElement).dataset["index"]) + step;
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-index="${index}"] [data-row-opener]`);
  if (next === null) return;
  event.preventDefault();
  next.focus();
}

/** Where the rows begin on the page. What stands above may grow, such as a filter on a second line. */
function useTop(frame: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const measure = () => setTop(Math.round(element.getBoundingClientRect().top + scrollY));
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, [frame]);
  return top;
}
