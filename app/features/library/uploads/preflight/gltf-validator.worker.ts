/** Runs Khronos' glTF validator in a worker, because it reads every byte of a model. */
import { validateBytes } from "gltf-validator";

/** One message of the validator (validation.schema.json of gltf-validator). */
export interface GltfValidatorMessage {
  readonly code: string;
  /** 0 for errors. */
  readonly severity: number;
  /** A JSON pointer into the model's JSON. */
  readonly pointer?: string;
}

const scope = self as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listen: (event: MessageEvent) => void): void;
};

scope.addEventListener("message", async ({ data }: MessageEvent<{ bytes: ArrayBuffer; codes: string[] }>) => {
  try {
    const report = await validateBytes(new Uint8Array(data.bytes), {
      maxIssues: 20,
      onlyIssues: data.codes,
      writeTimestamp: false,
    });
    scope.postMessage({ messages: report.issues.messages });
  } catch {
    // The server rejects files that cannot be parsed, with its own reason.
    scope.postMessage({ messages: [] });
  }
});
