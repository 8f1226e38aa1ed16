/**
 * Number of values of a node in the packed level-of-detail tree of Spark, the library that draws splats: two for its centre and size, the number
 * of children, and the index of the first child.
 */
const NODE_VALUES = 4;
/**
 * The size is a half-precision float in the upper half of the second number. For positive floats, the order of the bits is the
 * order of the values.
 */
const getNodeSize = (tree: Uint32Array, node: number) => (tree[node * NODE_VALUES + 1] ?? 0) >>> 16;

/**
 * Chooses at most `count` nodes that together represent the whole tree. The largest nodes are replaced by their children first.
 * @param tree `lodTree` of Spark's splats with levels of detail; its first node is the root
 * @param count maximum number of nodes
 */
export function chooseNodes(tree: Uint32Array, count: number): Uint32Array {
  // Sizes are integers below 65,536. Bisection finds the smallest one for which at most `count` nodes represent the tree.
  let [low, high] = [0, 0xffff];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (listNodesAtSize(tree, middle, count + 1).length <= count) high = middle;
    else low = middle + 1;
  }
  return listNodesAtSize(tree, low, count);
}

/** Returns the nodes whose size is at most `size` and whose parents are larger, and larger leaves, but at most `max` nodes. */
function listNodesAtSize(tree: Uint32Array, size: number, max: number): Uint32Array {
  const indices = new Uint32Array(max);
  let nodeCount = 0;
  const todo = [0];
  for (let node = todo.pop(); node !== undefined && nodeCount < max; node = todo.pop()) {
    const children = (tree[node * NODE_VALUES + 2] ?? 0) & 0xffff;
    const firstChild = tree[node * NODE_VALUES + 3] ?? 0;
    if (children === 0 || getNodeSize(tree, node) <= size) indices[nodeCount++] = node;
    else for (let child = 0; child < children; child++) todo.push(firstChild + child);
  }
  return indices.slice(0, nodeCount);
}
