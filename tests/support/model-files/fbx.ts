/** Creates FBX 7.4 files, binary and text, from one tree of nodes. */
import { concatBytes, u32le, zeros } from "../files/media-files";
import { createBox, FACE_UV, type Triple } from "./textured-box";

type Property =
  | { readonly type: "L" | "I" | "D"; readonly value: number }
  | { readonly type: "S"; readonly value: string }
  | { readonly type: "d" | "i"; readonly value: readonly number[] }
  | { readonly type: "R"; readonly value: Uint8Array };

interface Node {
  readonly name: string;
  readonly properties: readonly Property[];
  readonly children: readonly Node[];
}

const long = (value: number): Property => ({ type: "L", value });
const int = (value: number): Property => ({ type: "I", value });
const real = (value: number): Property => ({ type: "D", value });
const text = (value: string): Property => ({ type: "S", value });
const node = (name: string, properties: readonly Property[] = [], children: readonly Node[] = []): Node => ({
  name,
  properties,
  children,
});
const setting = (name: string, type: string, label: string, ...values: readonly Property[]) =>
  node("P", [text(name), text(type), text(label), text(""), ...values]);
const settings = (...children: readonly Node[]) => node("Properties70", [], children);

/** Content of the FBX file. */
export interface FbxInput {
  /** Size in units of `unitScale` centimetres. */
  readonly size: Triple;
  /** Distance of the second of two models that share the geometry, along x. */
  readonly apart: number;
  /** PNG that is embedded in the file. */
  readonly texture: Uint8Array;
  /** Length of a unit, in centimetres. */
  readonly unitScale?: number;
  /** Class of a parent of the second model: a light, a mesh without points, or a mesh without a geometry record. Default: it has none. */
  readonly parent?: "Light" | "Mesh" | "Shapeless";
}

function fbxTree({ size, apart, texture, unitScale = 1, parent }: FbxInput): readonly Node[] {
  const { corners, faces } = createBox(size);
  const model = (id: number, name: string, x: number, type = "Mesh") =>
    node(
      "Model",
      [long(id), text(`Model::${name}`), text(type)],
      [
        node("Version", [int(232)]),
        settings(setting("Lcl Translation", "Lcl Translation", "", real(x), real(0), real(0))),
      ],
    );
  const connect = (from: number, to: number, property?: string) =>
    node("C", [text(property ? "OP" : "OO"), long(from), long(to), ...(property ? [text(property)] : [])]);
  return [
    node("FBXHeaderExtension", [], [node("FBXHeaderVersion", [int(1003)]), node("FBXVersion", [int(7400)])]),
    node(
      "GlobalSettings",
      [],
      [
        node("Version", [int(1000)]),
        settings(
          setting("UpAxis", "int", "Integer", int(1)),
          setting("UnitScaleFactor", "double", "Number", real(unitScale)),
        ),
      ],
    ),
    node(
      "Objects",
      [],
      [
        node(
          "Geometry",
          [long(100), text("Geometry::box"), text("Mesh")],
          [
            node("Vertices", [{ type: "d", value: corners.flat() }]),
            node("PolygonVertexIndex", [
              { type: "i", value: faces.flatMap(([a, b, c, d]) => [a, b, c, -1 - d]) },
            ]),
            node(
              "LayerElementUV",
              [int(0)],
              [
                node("Version", [int(101)]),
                node("Name", [text("uv")]),
                node("MappingInformationType", [text("ByPolygonVertex")]),
                node("ReferenceInformationType", [text("Direct")]),
                node("UV", [{ type: "d", value: faces.flatMap(() => FACE_UV.flat()) }]),
              ],
            ),
          ],
        ),
        model(200, "left", 0),
        model(201, "right", parent ? 0 : apart),
        ...(parent ? [model(202, "parent", apart, parent === "Shapeless" ? "Mesh" : parent)] : []),
        ...(parent === "Light"
          ? [node("NodeAttribute", [long(600), text("NodeAttribute::light"), text("Light")])]
          : []),
        ...(parent === "Mesh" ? [node("Geometry", [long(600), text("Geometry::none"), text("Mesh")])] : []),
        node(
          "Material",
          [long(300), text("Material::painted"), text("")],
          [
            node("Version", [int(102)]),
            node("ShadingModel", [text("phong")]),
            settings(setting("DiffuseColor", "Color", "", real(1), real(1), real(1))),
          ],
        ),
        node(
          "Texture",
          [long(400), text("Texture::paint"), text("")],
          [
            node("FileName", [text("C:\\textures\\paint.png")]),
            node("RelativeFilename", [text("paint.png")]),
          ],
        ),
        node(
          "Video",
          [long(500), text("Video::paint"), text("Clip")],
          [
            node("Filename", [text("C:\\textures\\paint.png")]),
            node("RelativeFilename", [text("paint.png")]),
            node("Content", [{ type: "R", value: texture }]),
          ],
        ),
      ],
    ),
    node(
      "Connections",
      [],
      [
        connect(200, 0),
        ...(parent ? [connect(202, 0), connect(201, 202)] : [connect(201, 0)]),
        ...(parent && parent !== "Shapeless" ? [connect(600, 202)] : []),
        connect(100, 200),
        connect(100, 201),
        connect(300, 200),
        connect(300, 201),
        connect(400, 300, "DiffuseColor"),
        connect(500, 400),
      ],
    ),
  ];
}

function propertyBytes({ type, value }: Property): Uint8Array {
  if (type === "S" || type === "R") {
    // In binary files the class follows the name.
    const [kind, name] = type === "S" ? value.split("::") : [];
    const content = type === "R" ? value : concatBytes(name === undefined ? value : `${name}\0\x01${kind}`);
    return concatBytes(type, u32le(content.length), content);
  }
  if (type === "d" || type === "i") {
    const array = type === "d" ? Float64Array.from(value) : Int32Array.from(value);
    return concatBytes(
      type,
      u32le(value.length),
      u32le(0),
      u32le(array.byteLength),
      new Uint8Array(array.buffer),
    );
  }
  if (type === "L") return concatBytes("L", new Uint8Array(BigInt64Array.of(BigInt(Number(value))).buffer));
  return concatBytes(
    type,
    new Uint8Array((type === "I" ? Int32Array.of(Number(value)) : Float64Array.of(Number(value))).buffer),
  );
}

function nodeBytes({ name, properties, children }: Node, offset: number): Uint8Array {
  const propertyData = concatBytes(...properties.map(propertyBytes));
  const childBytes: Uint8Array[] = [];
  let end = offset + 13 + name.length + propertyData.length;
  for (const child of children) {
    const bytes = nodeBytes(child, end);
    childBytes.push(bytes);
    end += bytes.length;
  }
  if (children.length > 0) {
    childBytes.push(zeros(13));
    end += 13;
  }
  return concatBytes(
    u32le(end),
    u32le(properties.length),
    u32le(propertyData.length),
    [name.length],
    name,
    propertyData,
    ...childBytes,
  );
}

/**
 * A binary FBX file.
 * @param version declared version, for example 6100; the rest of the file is the same
 */
export function binaryFbx(input: FbxInput, version = 7400): Uint8Array {
  const nodes: Uint8Array[] = [];
  let offset = 27;
  for (const rootNode of fbxTree(input)) {
    const bytes = nodeBytes(rootNode, offset);
    nodes.push(bytes);
    offset += bytes.length;
  }
  return concatBytes("Kaydara FBX Binary  \0\x1a\0", u32le(version), ...nodes, zeros(173));
}

function nodeText({ name, properties, children }: Node, tabs: string): string {
  const [firstProperty] = properties;
  if (firstProperty?.type === "d" || firstProperty?.type === "i")
    return `${tabs}${name}: *${firstProperty.value.length} {\n${tabs}\ta: ${firstProperty.value.join(",")}\n${tabs}}\n`;
  const values = properties.map(({ type, value }) => {
    if (type === "R") return `\n${tabs}\t"${Buffer.from(value as Uint8Array).toString("base64")}"`;
    return type === "S" ? `"${value}"` : `${value}`;
  });
  const line = `${tabs}${name}: ${name === "Content" ? `,${values}` : values.join(",")}`;
  if (children.length === 0 && properties.length > 0) return `${line}\n`;
  return `${line} {\n${children.map((child) => nodeText(child, `${tabs}\t`)).join("")}${tabs}}\n`;
}

export const asciiFbx = (input: FbxInput): Uint8Array =>
  new TextEncoder().encode(
    `; FBX 7.4.0 project file\n; ----\n\n${fbxTree(input)
      .map((rootNode) => nodeText(rootNode, ""))
      .join("\n")}`,
  );
