import { type GltfFault, gltfFault, gltfFaultValues, splatShare } from "~/domain/library/formats/gltf-faults";
import { readGltfSplats, type SplatFault } from "~/domain/library/formats/gltf-splats";
import { SPLATS_MAX } from "~/domain/library/formats/splats-max";
import { isRecord } from "~/domain/shared/is-record";
import { MODEL_JSON_MAX_BYTES } from "~/domain/shared/limits";
import type { UploadProblem } from "../upload-state";
import type { GltfValidatorMessage } from "./gltf-validator.worker";

/** Maximum size of a model that is validated, in bytes. For larger ones, validation takes too long, so only their JSON is checked. */
const VALIDATED_BYTES_MAX = 64 * 1024 * 1024;
/** Time after which the file is sent without the validator's result, in milliseconds. */
const VALIDATION_TIMEOUT_MS = 20_000;

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;

/**
 * Texts for those validator errors with which no viewer shows the model correctly. Models with other errors, such as a tangent that is not of unit
 * length, are accepted, because viewers show them.
 */
const ERROR_TEXTS = {
  ACCESSOR_INVALID_FLOAT: "library:errors.upload.model_positions",
  NODE_LOOP: "library:errors.upload.model_loop",
  UNRESOLVED_REFERENCE: "library:uploads.model.reference",
  ACCESSOR_INDEX_OOB: "library:uploads.model.index",
  ACCESSOR_TOO_LONG: "library:uploads.model.outside",
  BUFFER_VIEW_TOO_LONG: "library:uploads.model.outside",
  UNDEFINED_PROPERTY: "library:uploads.model.incomplete",
  GLB_LENGTH_MISMATCH: "library:errors.upload.damaged",
  GLB_LENGTH_TOO_SMALL: "library:errors.upload.damaged",
  GLB_CHUNK_TOO_BIG: "library:errors.upload.damaged",
  GLB_UNEXPECTED_END_OF_HEADER: "library:errors.upload.damaged",
  GLB_UNEXPECTED_END_OF_CHUNK_HEADER: "library:errors.upload.damaged",
  GLB_UNEXPECTED_END_OF_CHUNK_DATA: "library:errors.upload.damaged",
} as const satisfies Readonly<Record<string, UploadProblem["key"]>>;

type Json = Readonly<Record<string, unknown>>;

/**
 * Checks before the upload whether a glTF model can be shown: first its JSON, then the whole file with the validator.
 * @param validate runs the validator; tests replace it, because they have no workers
 * @returns the first problem; null when there is none, and for files that are not glTF
 */
export async function checkModel(
  file: Blob,
  validate: typeof runValidator = runValidator,
): Promise<UploadProblem | null> {
  const json = await readJson(file);
  if (!json) return null;
  const fault = gltfFault(json);
  if (fault) return toProblem(fault, json);
  if (splatShare(json) === "all") return checkSplats(file, json);
  if (file.size > VALIDATED_BYTES_MAX) return null;
  const messages = await validate(file, Object.keys(ERROR_TEXTS));
  const fatalMessage = messages.find((message) => isFatal(message, json));
  if (!fatalMessage) return null;
  const detail = `${fatalMessage.code}${fatalMessage.pointer ? `, ${fatalMessage.pointer}` : ""}`;
  return { key: ERROR_TEXTS[fatalMessage.code as keyof typeof ERROR_TEXTS], values: { detail } };
}

function toProblem(fault: GltfFault | SplatFault, json: Json): UploadProblem {
  const values = gltfFaultValues(fault, json);
  return { key: `library:errors.upload.${fault}`, ...(values && { values }) };
}

/** Checks the JSON of a GLB file of splats, because the validator does not know their extension. */
function checkSplats(file: Blob, json: Json): UploadProblem | null {
  // The server compares the JSON with the real length of the binary chunk.
  const splats = readGltfSplats(json, file.size);
  if (typeof splats === "string") return toProblem(splats, json);
  return splats.count > SPLATS_MAX ? { key: "library:errors.upload.splats" } : null;
}

/** Reads the JSON of a GLB or glTF file; null when it cannot be read. */
async function readJson(file: Blob): Promise<Json | null> {
  const head = new DataView(await file.slice(0, 20).arrayBuffer());
  const isBinary = head.byteLength === 20 && head.getUint32(0, true) === GLB_MAGIC;
  if (isBinary && head.getUint32(16, true) !== JSON_CHUNK) return null;
  const part = isBinary ? file.slice(20, 20 + head.getUint32(12, true)) : file;
  if (part.size > MODEL_JSON_MAX_BYTES) return null;
  try {
    const json: unknown = JSON.parse(await part.text());
    return isRecord(json) ? (json as Json) : null;
  } catch {
    return null;
  }
}

/** Parts of the JSON that a loader requires. A damaged extension or animation is ignored. */
const REQUIRED_PARTS = /^\/(accessors|buffers|bufferViews|materials|meshes)\/(?!.*\/extensions\/)/;

/** Whether an error prevents the display of the model. NaN and infinite numbers prevent it only in positions. */
function isFatal({ code, severity, pointer = "" }: GltfValidatorMessage, json: Json): boolean {
  if (severity !== 0 || !(code in ERROR_TEXTS)) return false;
  if (code === "UNDEFINED_PROPERTY") return REQUIRED_PARTS.test(pointer);
  if (code !== "ACCESSOR_INVALID_FLOAT") return true;
  const [, index] = /^\/accessors\/(\d+)/.exec(pointer) ?? [];
  return index !== undefined && listPositionAccessors(json).has(Number(index));
}

/** Returns the accessors that contain vertex positions. */
function listPositionAccessors(json: Json): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const mesh of toRecords(json.meshes))
    for (const primitive of toRecords(mesh.primitives)) {
      const { attributes } = primitive;
      const position =
        typeof attributes === "object" && attributes !== null && "POSITION" in attributes
          ? attributes.POSITION
          : null;
      if (typeof position === "number") indexes.add(position);
    }
  return indexes;
}

const toRecords = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];

/** Runs the validator in a worker. Returns no messages when it fails or does not respond within VALIDATION_TIMEOUT_MS. */
async function runValidator(file: Blob, codes: readonly string[]): Promise<readonly GltfValidatorMessage[]> {
  const worker = new Worker(new URL("./gltf-validator.worker.ts", import.meta.url));
  try {
    const bytes = await file.arrayBuffer();
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve([]), VALIDATION_TIMEOUT_MS);
      const finish = (messages: readonly GltfValidatorMessage[]) => {
        clearTimeout(timer);
        resolve(messages);
      };
      worker.addEventListener("message", ({ data }) => finish(data.messages));
      worker.addEventListener("error", () => finish([]));
      worker.postMessage({ bytes, codes }, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}
