/** Loads IFC buildings with web-ifc, which converts units to metres and the axes to y up. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
} from "three";
import { IfcAPI, LogLevel } from "web-ifc";
import wasmUrl from "web-ifc/web-ifc.wasm?url";
import { ConversionError } from "../conversion";
import type { ReportProgress } from "../run-worker";
import { type LoadedScene, TRIANGLES_MAX } from "./export-scene.client";
import type { ModelRequest } from "./model-request";

/** Number of floats of a vertex: position and normal. */
const FLOATS_PER_VERTEX = 6;

/** Loads a building. Building elements (IFC products) keep their names, and share a geometry that several of them use. */
export async function loadIfc({ file }: ModelRequest, report: ReportProgress): Promise<LoadedScene> {
  const api = new IfcAPI();
  await api.Init(() => wasmUrl, true);
  api.SetLogLevel(LogLevel.LOG_LEVEL_OFF);
  // `work` determines the time limit until the next report. OpenModel reports nothing, so its limit depends on the size of the file.
  const work = { bytes: file.size };
  report(0.1, "decode", work);
  const model = api.OpenModel(new Uint8Array(await file.arrayBuffer()), { COORDINATE_TO_ORIGIN: true });
  if (model < 0) throw new ConversionError("damaged", "The file is not an IFC file of a known schema.");
  const scene = new Group();
  const geometries = new Map<number, BufferGeometry>();
  const materials = new Map<string, MeshStandardMaterial>();
  let triangles = 0;
  try {
    api.StreamAllMeshes(model, (product, done, total) => {
      report(0.1 + (0.45 * done) / Math.max(1, total), "decode", work);
      const group = new Group();
      group.name = getName(api, model, product.expressID);
      for (let i = 0; i < product.geometries.size(); i++) {
        const placedGeometry = product.geometries.get(i);
        const geometry =
          geometries.get(placedGeometry.geometryExpressID) ??
          readGeometry(api, model, placedGeometry.geometryExpressID);
        geometries.set(placedGeometry.geometryExpressID, geometry);
        triangles += (geometry.index?.count ?? 0) / 3;
        if (triangles > TRIANGLES_MAX)
          throw new ConversionError("too_large", `The model has more than ${TRIANGLES_MAX} triangles.`);
        if (geometry.index?.count === 0) continue;
        const { x, y, z, w } = placedGeometry.color;
        const key = [x, y, z, w].map((value) => value.toFixed(3)).join();
        const material = materials.get(key) ?? createMaterial(x, y, z, w);
        materials.set(key, material);
        const mesh = new Mesh(geometry, material);
        mesh.applyMatrix4(new Matrix4().fromArray(placedGeometry.flatTransformation));
        group.add(mesh);
      }
      if (group.children.length > 0) scene.add(group);
    });
  } finally {
    api.CloseModel(model);
  }
  return { scene, unit: 1 };
}

/** Creates a material from an IFC colour, which is sRGB. Both sides are drawn, because a wall may be a single surface. */
const createMaterial = (red: number, green: number, blue: number, alpha: number) =>
  new MeshStandardMaterial({
    color: new Color().setRGB(red, green, blue, "srgb"),
    opacity: alpha,
    transparent: alpha < 1,
    roughness: 0.8,
    side: DoubleSide,
  });

function getName(api: IfcAPI, model: number, id: number): string {
  try {
    const line = api.GetLine(model, id) as { readonly Name?: { readonly value?: unknown } | null };
    return typeof line.Name?.value === "string" ? line.Name.value : "";
  } catch {
    return "";
  }
}

function readGeometry(api: IfcAPI, model: number, id: number): BufferGeometry {
  const source = api.GetGeometry(model, id);
  const vertices = api.GetVertexArray(source.GetVertexData(), source.GetVertexDataSize());
  const index = api.GetIndexArray(source.GetIndexData(), source.GetIndexDataSize());
  const count = vertices.length / FLOATS_PER_VERTEX;
  const [positions, normals] = [new Float32Array(count * 3), new Float32Array(count * 3)];
  for (let i = 0; i < count; i++) {
    positions.set(vertices.subarray(i * FLOATS_PER_VERTEX, i * FLOATS_PER_VERTEX + 3), i * 3);
    normals.set(vertices.subarray(i * FLOATS_PER_VERTEX + 3, i * FLOATS_PER_VERTEX + 6), i * 3);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(index), 1));
  source.delete();
  return geometry;
}
