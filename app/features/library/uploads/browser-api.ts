import type { ApiResponse, UploadApi } from "./ports";
import { readRetryAfter } from "./slices";

/** Time limit for a JSON request without a signal of its own, and time without progress after which a slice is aborted, in milliseconds. */
const STALL_MS = 60_000;
const NO_RESPONSE: ApiResponse = { status: 0, body: null, retryAfter: null };

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The browser's access to the API. Slices are sent with XMLHttpRequest, because fetch does not report upload progress. */
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
      return NO_RESPONSE;
    }
  },

  bytes(path, bytes, { signal, onSent } = {}) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(NO_RESPONSE);
      const request = new XMLHttpRequest();
      const stop = () => request.abort();
      let stallTimer: ReturnType<typeof setTimeout> | undefined;
      const restartTimer = () => {
        clearTimeout(stallTimer);
        stallTimer = setTimeout(stop, STALL_MS);
      };
      const end = (response: ApiResponse) => {
        clearTimeout(stallTimer);
        signal?.removeEventListener("abort", stop);
        resolve(response);
      };
      signal?.addEventListener("abort", stop);
      request.upload.onprogress = ({ loaded }) => {
        restartTimer();
        onSent?.(loaded);
      };
      request.onload = () =>
        end({
          status: request.status,
          body: readJson(request.responseText),
          retryAfter: readRetryAfter(request.getResponseHeader("retry-after"), Date.now()),
        });
      request.onerror = () => end(NO_RESPONSE);
      request.onabort = () => end(NO_RESPONSE);
      request.open("PUT", path);
      request.setRequestHeader("content-type", bytes.type || "application/octet-stream");
      restartTimer();
      request.send(bytes);
    });
  },
};
