/** The panels of the editor. Their scripts are loaded after the page can be used; until then their links and forms work as without scripts. */
import { later } from "~/i18n/later";

const load = {
  content: () => import("../items/content-panel"),
  copy: () => import("../list/copy-dialog"),
  event: () => import("../../events/record/event-panel"),
  history: () => import("../../events/history/history-panel"),
  publish: () => import("../../events/record/publish-panel"),
  scene: () => import("../scene/scene-panel"),
  store: () => import("../../store/settings/store-panel"),
};

/** Loads all panels, so that they open without delay and without a connection. */
export function loadPanels(): void {
  // A panel whose script cannot be loaded tries again when it is opened.
  for (const loadPanel of Object.values(load)) loadPanel().catch(() => {});
}

export const ContentPanel = later(async () => ({ default: (await load.content()).ContentPanel }));
export const CopyDialog = later(async () => ({ default: (await load.copy()).CopyDialog }));
export const EventPanel = later(async () => ({ default: (await load.event()).EventPanel }));
export const EventDialog = later(async () => ({ default: (await load.event()).EventDialog }));
export const HistoryPanel = later(async () => ({ default: (await load.history()).HistoryPanel }));
export const PublishPanel = later(async () => ({ default: (await load.publish()).PublishPanel }));
export const ScenePanel = later(async () => ({ default: (await load.scene()).ScenePanel }));
export const StorePanel = later(async () => ({ default: (await load.store()).StorePanel }));
