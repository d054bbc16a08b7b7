/** How many transactions are read at once. */
export const pageSize = 200;

/**
 * What is known of an endless list: the cursor after which each page begins, and how many rows there are, once the last
 * page was read. The pages themselves are not kept: those that are out of view are read again.
 */
export interface PageChain {
  cursors: readonly (string | null)[];
  total: number | null;
}

export const newChain: PageChain = { cursors: [null], total: null };

/** Takes in a page that was read. A page that ends elsewhere than before makes the cursors after it void. */
export function withPage(
  chain: PageChain,
  index: number,
  page: { items: readonly unknown[]; nextAfter: string | null },
): PageChain {
  const { cursors, total } = chain;
  if (index >= cursors.length) return chain;
  if (page.nextAfter === null) {
    const counted = index * pageSize + page.items.length;
    if (total === counted && cursors.length === index + 1) return chain;
    return { cursors: cursors.slice(0, index + 1), total: counted };
  }
  if (cursors[index + 1] === page.nextAfter) return chain;
  return { cursors: [...cursors.slice(0, index + 1), page.nextAfter], total: null };
}

/** How many rows the list has room for: those that are known, and a page that is being read. */
export const rowsOfPages = ({ cursors, total }: PageChain): number => total ?? cursors.length * pageSize;
