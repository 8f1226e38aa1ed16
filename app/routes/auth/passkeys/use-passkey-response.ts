import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { action as challenge } from "../passkey-challenge";
import { usePasskeySupport } from "./passkey-support";

/** State of a passkey's response to a challenge of the server. */
export interface PasskeyResponse {
  /** Whether the browser has passkeys; false without scripts. */
  readonly isSupported: boolean;
  /** The challenge is being fetched, or the browser waits for the passkey. */
  readonly isPending: boolean;
  /** No passkey responded, for example because the browser's dialog was closed. */
  readonly isClosed: boolean;
  /** Packed message (its key and values in one string) about a challenge that could not be fetched; null without an error. */
  readonly failure: string | null;
  /** Fetches a challenge and lets a passkey respond to it. */
  readonly start: () => void;
}

/**
 * Lets a passkey respond to challenges of /login/passkey.
 * @param onResponse receives the response as JSON
 */
export function usePasskeyResponse(onResponse: (response: string) => void): PasskeyResponse {
  const isSupported = usePasskeySupport() === true;
  const fetcher = useFetcher<typeof challenge>();
  const [isWaiting, setWaiting] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const receive = useRef(onResponse);
  useEffect(() => {
    receive.current = onResponse;
  });
  const { data } = fetcher;

  useEffect(() => {
    if (!data?.options) return;
    let isOutdated = false;
    void (async () => {
      setWaiting(true);
      const { presentPasskey } = await import("./passkey.client");
      const credential = await presentPasskey(data.options);
      if (isOutdated) return;
      setWaiting(false);
      if (typeof credential === "string") setClosed(true);
      else receive.current(JSON.stringify(credential));
    })();
    return () => {
      isOutdated = true;
    };
  }, [data]);

  const isPending = isWaiting || fetcher.state !== "idle";
  return {
    isSupported,
    isPending,
    isClosed: isClosed && !isPending,
    failure: (!isPending && data?.failure) || null,
    start() {
      setClosed(false);
      fetcher.submit(null, { method: "post", action: "/login/passkey" });
    },
  };
}
