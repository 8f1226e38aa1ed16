/** A binary USD layer ("crate"), version 0.3, whose sections are not compressed. */
import { concatBytes, u32le, zeros } from "../files/media-files";
import { createBox, type Triple } from "./textured-box";

const u64le = (value: number) => concatBytes(u32le(value), u32le(0));
/** Kinds of specs. */
const [ATTRIBUTE, PRIM, PSEUDO_ROOT] = [1, 6, 7];
/** Types of values. */
const [INT, VEC3F, TOKEN, REFERENCE_LIST, SPECIFIER] = [3, 24, 11, 35, 42];
/** Flags of values: the value is an array, or is stored in the field itself. */
const [ARRAY, INLINED] = [0x8000, 0x4000];
/** Length of the header, in bytes. */
const HEADER_BYTES = 88;

/**
 * A box without a declared unit or up axis, and a prim without content.
 * @param field name of that prim's field of references
 */
export function usdcFile(size: Triple, field: string): Uint8Array {
  const { corners, faces } = createBox(size);
  const array = (count: number, values: Float32Array | Int32Array) =>
    concatBytes(u32le(count), new Uint8Array(values.buffer));
  const values = [
    array(corners.length, Float32Array.from(corners.flat())),
    array(faces.length, Int32Array.from(faces.map(() => 4))),
    array(faces.length * 4, Int32Array.from(faces.flat())),
  ];
  const addresses = values.map(
    (_, i) => HEADER_BYTES + values.slice(0, i).reduce((sum, { length }) => sum + length, 0),
  );
  const names = ["points", "faceVertexCounts", "faceVertexIndices"];
  const tokens = ["", "specifier", "typeName", "default", field, "Mesh", "Xform", "box", "copy", ...names];
  const token = (name: string) => tokens.indexOf(name);
  const fields = [
    ["specifier", SPECIFIER, INLINED, 0],
    ["typeName", TOKEN, INLINED, token("Mesh")],
    ["typeName", TOKEN, INLINED, token("Xform")],
    [field, REFERENCE_LIST, 0, HEADER_BYTES],
    ["default", VEC3F, ARRAY, addresses[0]],
    ["default", INT, ARRAY, addresses[1]],
    ["default", INT, ARRAY, addresses[2]],
  ] as const;
  const endOfSet = 0xffffffff;
  const fieldSets = [endOfSet, 0, 1, endOfSet, 0, 2, 3, endOfSet, 4, endOfSet, 5, endOfSet, 6, endOfSet];
  const specs = [
    [0, 0, PSEUDO_ROOT],
    [1, 1, PRIM],
    [2, 4, PRIM],
    [3, 8, ATTRIBUTE],
    [4, 10, ATTRIBUTE],
    [5, 12, ATTRIBUTE],
  ];
  // Bits of a path: it has children, it has a sibling, it is a property.
  const [CHILD, SIBLING, PROPERTY] = [1, 2, 4];
  const path = (index: number, name: string, bits: number) =>
    concatBytes(u32le(index), u32le(token(name)), [bits]);
  const sectionsOffset = HEADER_BYTES + values.reduce((sum, { length }) => sum + length, 0);
  const root = concatBytes(u64le(specs.length), path(0, "", CHILD));
  const attributes = concatBytes(
    path(3, "points", SIBLING | PROPERTY),
    path(4, "faceVertexCounts", SIBLING | PROPERTY),
    path(5, "faceVertexIndices", PROPERTY),
  );
  // The section of paths is first. A prim with children and a sibling states the position of the sibling.
  const boxPath = path(1, "box", CHILD | SIBLING);
  const siblingOffset = sectionsOffset + root.length + boxPath.length + 8 + attributes.length;
  const text = new TextEncoder().encode(tokens.map((name) => `${name}\0`).join(""));
  const sections: readonly (readonly [string, Uint8Array])[] = [
    ["PATHS", concatBytes(root, boxPath, u64le(siblingOffset), attributes, path(2, "copy", 0))],
    ["TOKENS", concatBytes(u64le(tokens.length), u64le(text.length), text)],
    ["STRINGS", u64le(0)],
    [
      "FIELDS",
      concatBytes(
        ...fields.map(([name, type, flags, value]) =>
          concatBytes(u32le(token(name)), u32le(value ?? 0), u32le(((flags << 16) | (type << 16)) >>> 0)),
        ),
      ),
    ],
    ["FIELDSETS", concatBytes(...fieldSets.map(u32le))],
    ["SPECS", concatBytes(...specs.flat().map(u32le))],
  ];
  const content = concatBytes(...values, ...sections.map(([, bytes]) => bytes));
  const entries = sections.map(([name, bytes], i) => {
    const offset = sectionsOffset + sections.slice(0, i).reduce((sum, [, { length }]) => sum + length, 0);
    return concatBytes(name, zeros(16 - name.length), u64le(offset), u64le(bytes.length));
  });
  return concatBytes(
    concatBytes("PXR-USDC", [0, 3, 0], zeros(5), u64le(HEADER_BYTES + content.length), zeros(64)),
    content,
    concatBytes(u64le(sections.length), ...entries),
  );
}
