import { type RefObject, useEffect, useRef } from "react";
import { placeOf, referringHost } from "~/domain/analytics/visit";
import type { SourceKind, Uuid } from "~/domain/shared/model";
import type { ViewerHandle } from "~/viewer/Viewer";
import { LOOK_MS, VisitTracker } from "./visit-tracker";

/** Data of the visit that the page reports. */
export interface CountedProps {
  /** Address that receives the reports. */
  readonly to: string;
  readonly kind: SourceKind;
  readonly stage: RefObject<ViewerHandle>;
  /** Open entry of the list. */
  readonly openId: Uuid | null;
  readonly tagIds: readonly Uuid[];
}

/** Elements that open a media item when they are clicked. */
const OPENS = "a, button, summary, video, audio";

/**
 * Reports a visit to a Published event in parts (decision 030). It renders nothing and stores nothing in the browser. Without scripts noscript-
 * tracking.server does this.
 */
export default function Counted({ to, kind, stage, openId, tagIds }: CountedProps) {
  const telling = useRef<VisitTracker | null>(null);

  useEffect(() => {
    const tracker = new VisitTracker(
      { visit: randomName(), from: referringHost(document.referrer, location.hostname) },
      {
        now: () => performance.now(),
        send: (body) =>
          fetch(to, { method: "POST", body, keepalive: true }).then(
            ({ status }) => status < 500,
            () => false,
          ),
        sendLast: (body) => navigator.sendBeacon(to, body),
      },
    );
    telling.current = tracker;
    const place = () => placeOf(kind, stage.current?.viewpoint() ?? null);
    const inView = () => document.visibilityState === "visible";
    const look = () => inView() && tracker.look(place());
    const leave = () => tracker.leave(place());
    const turn = () => (inView() ? look() : leave());
    const open = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest(OPENS)) return;
      const id = target.closest<HTMLElement>("[data-medium]")?.dataset.medium;
      if (id) tracker.note({ act: "media", id });
      if (target.closest("[data-checkout]")) tracker.note({ act: "checkout", id: "" });
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", turn);
    addEventListener("pagehide", leave);
    // The listeners capture the events, because other handlers may stop them, and because the play event of videos and sounds does not bubble.
    document.addEventListener("click", open, true);
    document.addEventListener("play", open, true);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", turn);
      removeEventListener("pagehide", leave);
      document.removeEventListener("click", open, true);
      document.removeEventListener("play", open, true);
      leave();
    };
  }, [to, kind, stage]);

  useEffect(() => {
    if (openId) telling.current?.note({ act: tagIds.includes(openId) ? "tag" : "media", id: openId });
  }, [openId, tagIds]);

  return null;
}

/** Random id of 128 bits. */
const randomName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
