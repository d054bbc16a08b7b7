import { UnstyledButton } from "@mantine/core";
import type { BankTransaction } from "@purser/client";
import { IconNote } from "@tabler/icons-react";
import { type ReactNode, memo } from "react";
import shared from "../../../components/data-table.module.css";
import { categoryInWords, formatDay, formatMoney } from "../../../data/format.ts";
import classes from "./-table.module.css";

/** The tracks of the table's grid. */
export const tracks = "110px minmax(0, 2fr) minmax(0, 1fr) minmax(0, 0.8fr) 140px";
export const headers = ["Date", "Description", "Account", "Category", "Amount"] as const;

interface RowProps {
  /** Undefined while its page is being read. */
  item: BankTransaction | undefined;
  index: number;
  /** The place in the element that holds the rows, in pixels. */
  top: number;
  isPhone: boolean;
  isSelected: boolean;
  onOpen: (id: string) => void;
}

/** A row of plain elements: while a person scrolls, dozens of them are made within a frame. */
export const TransactionRow = memo(({ item, index, top, isPhone, isSelected, onOpen }: RowProps) => (
  <div
    role="row"
    aria-rowindex={index + 2}
    data-row={index}
    data-opens={item && true}
    data-selected={isSelected || undefined}
    className={classes.row}
    style={{
      transform: `translateY(${top}px)`,
      gridTemplateColumns: isPhone ? "minmax(0, 1fr) auto" : tracks,
    }}
    onClick={item && (() => onOpen(item.id))}
  >
    {item === undefined ? (
      <div role="cell" style={{ gridColumn: "1 / -1" }}>
        <div className={classes.outline} />
      </div>
    ) : isPhone ? (
      <PhoneCells item={item} />
    ) : (
      <Cells item={item} />
    )}
  </div>
));
TransactionRow.displayName = "TransactionRow";

function Cells({ item }: { item: BankTransaction }) {
  return (
    <>
      <div role="cell" className={classes.soft}>
        {formatDay(item.transactionDate)}
      </div>
      <div role="cell" className={classes.text}>
        <Opener>
          {titleOfTransaction(item)}
          <NoteMark item={item} />
          {item.status === "PENDING" && <span className={classes.pending}>Pending</span>}
        </Opener>
      </div>
      <div role="cell" className={`${classes.text} ${classes.soft}`}>
        {item.account.accountName}
      </div>
      <div role="cell" className={`${classes.text} ${classes.soft}`}>
        {item.category === null ? noCategory : categoryInWords(item.category)}
      </div>
      <div role="cell" className={classes.amount} data-in={item.type === "CREDIT" || undefined}>
        {signedAmount(item)}
      </div>
    </>
  );
}

function PhoneCells({ item }: { item: BankTransaction }) {
  return (
    <>
      <div role="cell" className={classes.text}>
        <Opener>
          {titleOfTransaction(item)}
          <NoteMark item={item} />
        </Opener>
        <div className={`${classes.text} ${classes.small}`}>
          {formatDay(item.transactionDate)} · {item.account.accountName}
        </div>
      </div>
      <div role="cell">
        <div className={classes.amount} data-in={item.type === "CREDIT" || undefined}>
          {signedAmount(item)}
        </div>
        {item.status === "PENDING" && <div className={`${classes.small} ${classes.amount}`}>Pending</div>}
      </div>
    </>
  );
}

/** Shows that somebody has written a note, which the pointer shows. */
const NoteMark = ({ item: { note } }: { item: BankTransaction }) =>
  note !== null && (
    <span className={classes.note} role="img" aria-label="Has a note" title={note}>
      <IconNote size={15} aria-hidden />
    </span>
  );

const Opener = ({ children }: { children: ReactNode }) => (
  <UnstyledButton className={`${shared.opener} ${classes.text}`} data-opener aria-haspopup="dialog">
    {children}
  </UnstyledButton>
);

/** What stands where a transaction has no category. */
export const noCategory = "No category";

export const titleOfTransaction = (item: Pick<BankTransaction, "merchantName" | "description">): string =>
  item.merchantName ?? item.description;

/** Money in has a plus, money out a minus. */
export const signedAmount = ({
  type,
  amount,
  currency,
}: Pick<BankTransaction, "type" | "amount" | "currency">): string =>
  formatMoney(type === "DEBIT" ? -amount : amount, currency, { signDisplay: "exceptZero" });
