import { type RefObject, useEffect, useRef } from "react";
import { referringHost, toVisitPlace } from "~/domain/analytics/visit";
import type { SourceKind, Uuid } from "~/domain/shared/model";
import type { ViewerHandle } from "~/viewer/Viewer";
import { SAMPLE_MS, VisitTracker } from "./visit-tracker";

/** Data of the visit that the page reports. */
export interface VisitReporterProps {
  /** URL that receives the reports. */
  readonly reportHref: string;
  readonly kind: SourceKind;
  readonly stage: RefObject<ViewerHandle>;
  /** Open entry of the list. */
  readonly openId: Uuid | null;
  readonly tagIds: readonly Uuid[];
}

/** Elements that open a media item when they are clicked. */
const OPENING_ELEMENTS = "a, button, summary, video, audio";

/**
 * Reports a visit through a public link in numbered parts (decision 030). It renders nothing and stores nothing in the browser. Visits without scripts
 * are reported by noscript-tracking.server.
 */
export default function VisitReporter({ reportHref, kind, stage, openId, tagIds }: VisitReporterProps) {
  const trackerRef = useRef<VisitTracker | null>(null);

  useEffect(() => {
    const tracker = new VisitTracker(
      { visit: randomId(), from: referringHost(document.referrer, location.hostname) },
      {
        now: () => performance.now(),
        send: (body) =>
          fetch(reportHref, { method: "POST", body, keepalive: true }).then(
            ({ status }) => status < 500,
            () => false,
          ),
        sendLast: (body) => navigator.sendBeacon(reportHref, body),
      },
    );
    trackerRef.current = tracker;
    const visitPlace = () => toVisitPlace(kind, stage.current?.viewpoint() ?? null);
    const isPageVisible = () => document.visibilityState === "visible";
    const sample = () => isPageVisible() && tracker.sample(visitPlace());
    const leave = () => tracker.leave(visitPlace());
    const onVisibilityChange = () => (isPageVisible() ? sample() : leave());
    const recordOpening = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest(OPENING_ELEMENTS)) return;
      const id = target.closest<HTMLElement>("[data-medium]")?.dataset.medium;
      if (id) tracker.recordOpened({ act: "media", id });
      if (target.closest("[data-checkout]")) tracker.recordOpened({ act: "checkout", id: "" });
    };
    sample();
    const timer = setInterval(sample, SAMPLE_MS);
    document.addEventListener("visibilitychange", onVisibilityChange);
    addEventListener("pagehide", leave);
    // The listeners capture the events, because other handlers may stop them, and because the play event of videos and sounds does not bubble.
    document.addEventListener("click", recordOpening, true);
    document.addEventListener("play", recordOpening, true);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisibilityChange);
      removeEventListener("pagehide", leave);
      document.removeEventListener("click", recordOpening, true);
      document.removeEventListener("play", recordOpening, true);
      leave();
    };
  }, [reportHref, kind, stage]);

  useEffect(() => {
    if (openId)
      trackerRef.current?.recordOpened({ act: tagIds.includes(openId) ? "tag" : "media", id: openId });
  }, [openId, tagIds]);

  return null;
}

/** Random id of 128 bits. */
const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
