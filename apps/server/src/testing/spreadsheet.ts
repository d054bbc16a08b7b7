import { Readable } from "node:stream";
import ExcelJs from "exceljs";

/** Texts that a spreadsheet program may read as a formula, or that CSV must quote. */
export const sheetTexts = [
  "=1+1",
  "+44 20",
  "-5",
  "@SUM(A1)",
  "\tTab",
  'Said "hi", twice',
  "Two\r\nlines",
  "Café Zürich 7",
];

/** Reads a file as a spreadsheet program does. Values stay texts. */
export async function openSheet(csv: string): Promise<string[][]> {
  const sheet = await new ExcelJs.Workbook().csv.read(Readable.from([csv]), {
    map: (value: string) => value,
  });
  const rows: string[][] = [];
  // Read once, because the library counts the columns of all rows each time.
  const { columnCount } = sheet;
  sheet.eachRow({ includeEmpty: true }, (row) => {
    rows.push(Array.from({ length: columnCount }, (_, index) => row.getCell(index + 1).text));
  });
  return rows;
}
