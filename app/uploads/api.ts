import type { Answer, UploadApi } from "./ports";
import { readRetryAfter } from "./slices";

/** After so long without a byte in either direction a connection counts as dead, in milliseconds. */
const STALL_MS = 60_000;
const NO_ANSWER: Answer = { status: 0, body: null, retryAfter: null };

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The API as a page reaches it. Slices go by XMLHttpRequest, because fetch does not say how much it has sent. */
export const browserApi: UploadApi = {
  async json(method, path, body, signal) {
    try {
      const response = await fetch(path, {
        method,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ?? AbortSignal.timeout(STALL_MS),
      });
      return {
        status: response.status,
        body: readJson(await response.text()),
        retryAfter: readRetryAfter(response.headers.get("retry-after"), Date.now()),
      };
    } catch {
      return NO_ANSWER;
    }
  },

  bytes(path, bytes, { signal, onSent } = {}) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(NO_ANSWER);
      const request = new XMLHttpRequest();
      const stop = () => request.abort();
      let stall: ReturnType<typeof setTimeout> | undefined;
      const watch = () => {
        clearTimeout(stall);
        stall = setTimeout(stop, STALL_MS);
      };
      const end = (answer: Answer) => {
        clearTimeout(stall);
        signal?.removeEventListener("abort", stop);
        resolve(answer);
      };
      signal?.addEventListener("abort", stop);
      request.upload.onprogress = ({ loaded }) => {
        watch();
        onSent?.(loaded);
      };
      request.onload = () =>
        end({
          status: request.status,
          body: readJson(request.responseText),
          retryAfter: readRetryAfter(request.getResponseHeader("retry-after"), Date.now()),
        });
      request.onerror = () => end(NO_ANSWER);
      request.onabort = () => end(NO_ANSWER);
      request.open("PUT", path);
      request.setRequestHeader("content-type", bytes.type || "application/octet-stream");
      watch();
      request.send(bytes);
    });
  },
};
