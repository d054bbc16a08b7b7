import { indent, key } from "./contract.ts";

/** Leaves and groups by name. */
export type Tree<Leaf> = Map<string, Leaf | Tree<Leaf>>;

/** Nests leaves by their paths. */
export function nest<Leaf extends { path: string[] }>(leaves: Leaf[]): Tree<Leaf> {
  const root: Tree<Leaf> = new Map();
  for (const leaf of leaves) {
    const groups = leaf.path.slice(0, -1);
    const name = leaf.path.at(-1) ?? "";
    groups.reduce(descend, root).set(name, leaf);
  }
  return root;
}

function descend<Leaf>(tree: Tree<Leaf>, name: string): Tree<Leaf> {
  const known = tree.get(name);
  if (known instanceof Map) return known;
  const group: Tree<Leaf> = new Map();
  tree.set(name, group);
  return group;
}

/** Writes a tree as an object type or value, one member per line, each leaf with its documentation. */
export function writeTree<Leaf>(
  tree: Tree<Leaf>,
  write: (leaf: Leaf) => { notes?: string; text: string },
  separator = ";",
): string {
  const lines = [...tree].map(([name, node]) => {
    if (node instanceof Map) return `${key(name)}: ${writeTree(node, write, separator)}${separator}`;
    const { notes = "", text } = write(node);
    return `${notes}${key(name)}: ${text}${separator}`;
  });
  return `{\n${indent(lines.join("\n"))}\n}`;
}
