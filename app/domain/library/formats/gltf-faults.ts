/** Faults in a glTF model's JSON that prevent the viewer from showing it (glTF 2.0, §3). */

/**
 * model_files: the model references external files. model_empty: it has no visible content. model_loop: nodes contain themselves, or are
 * nested too deeply. model_extension: it requires an extension that the viewer does not support. model_splats: it contains both Gaussian
 * splats and other meshes.
 */
export type GltfFault = "model_files" | "model_empty" | "model_loop" | "model_extension" | "model_splats";

/** Maximum depth of nested nodes. Exporters write fewer than a hundred; browsers' stacks end at a few thousand. */
export const NODE_DEPTH_MAX = 500;

/** Extensions that the viewer reads. A model that requires only these and those of OPTIONAL_IN_PRACTICE can be shown. */
const READABLE = new Set([
  "KHR_binary_glTF",
  "KHR_draco_mesh_compression",
  "KHR_mesh_quantization",
  "KHR_meshopt_compression",
  "EXT_meshopt_compression",
  "EXT_mesh_gpu_instancing",
]);

/**
 * Names of extensions that describe surfaces, textures, lights, behaviour or metadata (KhronosGroup/glTF, extensions/README.md). They move
 * no point of a model relative to the others, so a viewer without them still shows its intended shape. Extensions of splats are checked in
 * gltf-splats.ts.
 */
const OPTIONAL_IN_PRACTICE =
  /^(KHR_gaussian_splatting|(KHR|EXT|ADOBE|MSFT|NV|FB|AGI)_(materials|texture|lights|techniques|xmp|animation_pointer|node|physics|interactivity|audio|structural|feature|mesh_features|instance_features|packing|lod|ngon|articulations|stk)|CESIUM_(primitive_outline|RTC)$|GODOT_|OMI_|VRM)/;

/** Returns whether a model that requires this extension can be shown in its intended shape. */
const isSupported = (extension: string) => READABLE.has(extension) || OPTIONAL_IN_PRACTICE.test(extension);

type Json = Readonly<Record<string, unknown>>;

const objects = (list: unknown): readonly Json[] =>
  Array.isArray(list) ? list.map((item) => (typeof item === "object" && item !== null ? item : {})) : [];
const integers = (list: unknown): readonly number[] =>
  Array.isArray(list) ? list.filter((item): item is number => Number.isSafeInteger(item)) : [];

const isInline = (uri: unknown) => typeof uri === "string" && /^data:[^,]*,/i.test(uri.slice(0, 1024));

/** Returns the URIs of a model's external files as written, without duplicates. */
export function gltfFiles(json: Json): readonly string[] {
  const uris = [...objects(json.buffers), ...objects(json.images)].map(({ uri }) => uri);
  return [...new Set(uris.filter((uri) => uri !== undefined && !isInline(uri)).map(String))];
}

/** Maximum number of names in a message. */
const NAMES_MAX = 5;
/** Maximum characters of a name in a message. */
const NAME_LENGTH_MAX = 100;

/** Returns names of files or extensions for a message: the first five, and "…" if there are more. */
export function nameList(names: readonly string[]): string {
  const shortNames = names
    .slice(0, NAMES_MAX)
    .map((name) => (name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name));
  return [...shortNames, ...(names.length > NAMES_MAX ? ["…"] : [])].join(", ");
}

/** Returns whether a tree of nodes has a cycle or is deeper than NODE_DEPTH_MAX, in linear time. */
function hasInvalidTree(nodes: readonly Json[]): boolean {
  const children = nodes.map((node) => integers(node.children));
  /** The height of the tree from each node down, 1 for a leaf; 0 if unknown, −1 while the node is visited. */
  const heights = new Int32Array(nodes.length);
  for (let root = 0; root < nodes.length; root++) {
    if (heights[root] !== 0) continue;
    const stack = [root];
    while (stack.length > 0) {
      const node = stack.at(-1) ?? 0;
      // The node may be on the stack several times, if it has several parents or a parent names it twice.
      if ((heights[node] ?? 0) > 0) {
        stack.pop();
        continue;
      }
      const isFirstVisit = heights[node] === 0;
      heights[node] = -1;
      let height = 0;
      for (const child of children[node] ?? []) {
        if (child < 0 || child >= nodes.length) continue;
        const childHeight = heights[child] ?? 0;
        if (childHeight === -1) return true;
        if (isFirstVisit && childHeight === 0) stack.push(child);
        height = Math.max(height, childHeight);
      }
      if (isFirstVisit) continue;
      stack.pop();
      heights[node] = height + 1;
      if (height + 1 > NODE_DEPTH_MAX) return true;
    }
  }
  return false;
}

/** Returns whether a scene shows a mesh with primitives. */
function hasMesh(json: Json, nodes: readonly Json[]): boolean {
  const meshes = objects(json.meshes).map(({ primitives }) => objects(primitives).length > 0);
  const visited = new Uint8Array(nodes.length);
  const stack = objects(json.scenes).flatMap((scene) => integers(scene.nodes));
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visited[node] !== 0) continue;
    visited[node] = 1;
    const { mesh, children } = nodes[node] ?? {};
    if (typeof mesh === "number" && meshes[mesh]) return true;
    for (const child of integers(children)) stack.push(child);
  }
  return false;
}

/** Returns how many of a model's primitives are Gaussian splats, compressed or not (KHR_gaussian_splatting and its extensions). */
export function splatShare(json: Json): "all" | "some" | "none" {
  const primitivesOfMeshes = objects(json.meshes).flatMap(({ primitives }) => objects(primitives));
  const splats = primitivesOfMeshes.filter(({ extensions }) =>
    Object.keys(extensions ?? {}).some((name) => name.startsWith("KHR_gaussian_splatting")),
  );
  if (splats.length === 0) return "none";
  return splats.length === primitivesOfMeshes.length ? "all" : "some";
}

const strings = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Returns the required extensions that the viewer does not support. */
const unsupportedRequired = (json: Json): readonly string[] =>
  strings(json.extensionsRequired).filter((name) => !isSupported(name));

/** Returns the values of the message for a fault: the names of the missing files or of the unsupported extensions. */
export function gltfFaultValues(fault: string, json: Json): Readonly<Record<string, string>> | undefined {
  if (fault === "model_files") return { files: nameList(gltfFiles(json)) };
  if (fault !== "model_extension") return undefined;
  const required = unsupportedRequired(json);
  // Without an unsupported required extension, the fault is in `extensionsUsed`, because the data of a supported extension could not be read.
  const names =
    required.length > 0
      ? required
      : strings(json.extensionsUsed).filter((name) => /compression|instancing/.test(name));
  return { extensions: nameList(names.length > 0 ? names : strings(json.extensionsRequired)) };
}

/** Returns the first fault in the JSON of a glTF model; null for a valid one. */
export function gltfFault(json: Json): GltfFault | null {
  if (gltfFiles(json).length > 0) return "model_files";
  const nodes = objects(json.nodes);
  if (hasInvalidTree(nodes)) return "model_loop";
  if (splatShare(json) === "some") return "model_splats";
  if (unsupportedRequired(json).length > 0) return "model_extension";
  return hasMesh(json, nodes) ? null : "model_empty";
}
