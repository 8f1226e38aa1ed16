import { useEffect, useState } from "react";
import { withMessages } from "~/i18n/load";
import { pagePart } from "~/i18n/page-part";
import { formPart, isListPanel, isScenePanel, readPanel } from "./panels";

/** Parts of the editor that have scripts of their own. */
export const Parts = {
  ContentPanel: pagePart(
    "content-panel",
    withMessages(["folders", "library", "store", "store-visitors", "visitors-late"], async () => ({
      default: (await import("../items/content-panel")).ContentPanel,
    })),
  ),
  ScenePanel: pagePart(
    "scene-panel",
    withMessages(["folders", "library", "store", "visitors-late"], async () => ({
      default: (await import("../scene/scene-panel")).ScenePanel,
    })),
  ),
  StorePanel: pagePart(
    "store-panel",
    withMessages(["store", "store-visitors"], async () => ({
      default: (await import("../../store/settings/store-panel")).StorePanel,
    })),
  ),
  EventPanel: pagePart(
    "event-panel",
    withMessages(["store"], async () => ({
      default: (await import("../../events/record/event-panel")).EventPanel,
    })),
  ),
  EventDialog: pagePart(
    "event-panel",
    withMessages(["store"], async () => ({
      default: (await import("../../events/record/event-panel")).EventDialog,
    })),
  ),
  PublishPanel: pagePart(
    "publish-panel",
    withMessages([], async () => ({
      default: (await import("../../events/record/publish-panel")).PublishPanel,
    })),
  ),
  HistoryPanel: pagePart(
    "history-panel",
    withMessages([], async () => ({
      default: (await import("../../events/history/history-panel")).HistoryPanel,
    })),
  ),
  CopyDialog: pagePart(
    "copy-dialog",
    withMessages([], async () => ({ default: (await import("../list/copy-dialog")).CopyDialog })),
  ),
};

/** The parts of the editor that a URL shows. */
export function shownParts(searchParams: URLSearchParams) {
  const panel = readPanel(searchParams);
  return [
    ...(isListPanel(panel) ? [Parts.ContentPanel] : []),
    ...(isScenePanel(panel) ? [Parts.ScenePanel] : []),
    ...(panel === "store" ? [Parts.StorePanel] : []),
    ...(panel === "links" ? [Parts.PublishPanel] : []),
    ...(panel === "history" ? [Parts.HistoryPanel] : []),
    ...(formPart(panel) !== null ? [Parts.EventPanel] : []),
    ...(searchParams.get("dialog") === "status" ? [Parts.EventDialog] : []),
    ...(searchParams.has("copy") ? [Parts.CopyDialog] : []),
  ];
}

/** Loads all parts after the page is hydrated, so that they open at once and without a connection. */
export function usePreloadParts(): void {
  useEffect(() => {
    const loadAll = async () => {
      // The parts are loaded one at a time, so that they delay the loading of the space less.
      for (const part of Object.values(Parts)) await part.preload();
    };
    void loadAll();
  }, []);
}

/** Returns true from the first time that the condition is true. A part that was shown once can then stay mounted. */
export function useEverTrue(condition: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(condition);
  if (condition && !wasTrue) setWasTrue(true);
  return wasTrue || condition;
}
