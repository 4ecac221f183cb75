// SPDX-License-Identifier: MIT
// Where the JSON of a physics extension names nodes and meshes of the file.

/** Member -> what it is an index of. */
const KINDS = {
  connectedNode: 'nodes',
  nodeA: 'nodes',
  nodeB: 'nodes',
  node: 'nodes',
  nodes: 'nodes',
  mesh: 'meshes',
};

/** What belongs to others, in whose members nothing is known. */
const FOREIGN = new Set(['extras', 'extensions']);

/**
 * Yields every reference in an extension object.
 *
 * @param {object} json - the extension object.
 * @returns {Generator<{path: string[], kind: 'nodes' | 'meshes', index: number}>} from the top.
 */
export function* referencesIn(json, path = [], kind = null) {
  for (const [key, value] of Object.entries(json)) {
    const here = [...path, key];
    const names = kind ?? KINDS[key] ?? null;
    if (FOREIGN.has(key)) continue;
    if (Number.isInteger(value) && names && value >= 0) yield { path: here, kind: names, index: value };
    else if (Array.isArray(value)) yield* referencesIn(value, here, names);
    else if (value !== null && typeof value === 'object') yield* referencesIn(value, here, null);
  }
}

/** Puts an index where a path leads. */
export function put(json, path, index) {
  const owner = path.slice(0, -1).reduce((value, key) => value[key], json);
  owner[path.at(-1)] = index;
}

/** Takes out what a path leads to; items of arrays leave a hole, see `withoutHoles`. */
export function take(json, path) {
  const owner = path.slice(0, -1).reduce((value, key) => value[key], json);
  if (Array.isArray(owner)) owner[path.at(-1)] = undefined;
  else delete owner[path.at(-1)];
}

/** Returns a value without the holes in its arrays. */
export function withoutHoles(value) {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutHoles);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutHoles(item)]));
}
