import { type Context, type ReactNode, type RefObject, useContext, useMemo } from "react";
import type { PartType, TrashedMediaItem } from "~/domain/content/content";
import { offeredLangs } from "~/domain/events/event-texts";
import type { HiddenReason } from "~/domain/library/prepared";
import type { Localized, Uuid } from "~/domain/shared/model";
import type { Editor, EditorState } from "~/features/content/editor/editor";
import { OfferedLanguagesProvider } from "~/forms/shared/language-fields";
import { RouteDataContext } from "~/i18n/late-part";
import type { Connection, ViewerHandle, ViewerSource } from "~/viewer/Viewer";
import type { AttachedProductData } from "../../store/settings/use-event-store";
import type { UnsavedForms } from "../drafts/unsaved-forms";

/** A library file that visitors do not see: the reason, and its file name for the text. */
export interface HiddenFile {
  readonly reason: HiddenReason;
  readonly name: string;
}

/** Library files by id; null for those that visitors see. */
export type HiddenFiles = Readonly<Record<Uuid, HiddenFile | null>>;

/** Target of the next point that the user chooses in the space: an existing item, or a new tag, for which a product may be chosen next. */
export type Placing =
  | { readonly type: PartType; readonly id: Uuid }
  | { readonly type: "new"; readonly picks?: "product" };

/** Data that all parts of the editor's panel share. */
export interface EditorView {
  readonly eventId: Uuid;
  readonly spaceId: Uuid;
  /** Null without scripts, and until the editor has loaded: then forms are submitted. */
  readonly editor: Editor | null;
  /**
   * Runs the action now, or when the editor has loaded. The action is dropped when the page is left before that. The calling component may be
   * unmounted.
   */
  readonly withEditor: (run: (editor: Editor) => void) => void;
  readonly state: EditorState;
  /** Media items that visitors do not see because their files are in the library's trash. */
  readonly trashed: readonly TrashedMediaItem[];
  /** Library files of the event and of the media picker. */
  readonly hiddenFiles: HiddenFiles;
  /** Forms with input that cannot be saved. */
  readonly unsavedForms: UnsavedForms;
  /** Free bytes of the user's library. */
  readonly freeBytes: number;
  /** The stage: the 3D view of the space. */
  readonly stage: RefObject<ViewerHandle>;
  /** Source of the space on the stage. */
  readonly source: ViewerSource;
  readonly placing: Placing | null;
  /** Whether the space can return the position of a point that the user chooses. */
  readonly canPlace: boolean;
  /** The stage could not display the space, or no longer displays it. */
  readonly hasFailed: boolean;
  /** State of the connection to a Matterport showcase; null for other spaces. */
  readonly connection: Connection | null;
  /** Whether the event has a store, and the loaded data of the attached products. */
  readonly store: { readonly isConnected: boolean; readonly attachedProducts: AttachedProductData };
  /** Whether the event's settings, which are not saved automatically, have unsaved changes. */
  readonly hasUnsavedSettings: boolean;
  /** Whether visitors see saved changes immediately. */
  readonly isPublished: boolean;
  readonly onPlacing: (placing: Placing | null) => void;
}

/** The context that every screen uses for its data, with the type of the editor's data. The editor's route provides the value. */
const EditorContext = RouteDataContext as Context<EditorView | null>;

/** Returns the data of the editor around a component. */
export function useEditorView(): EditorView {
  const view = useContext(EditorContext);
  if (!view) throw new Error("useEditorView needs an EditorProvider around it");
  return view;
}

/** Provides the editor's view, and the languages in which the event is offered. */
export function EditorProvider({
  view,
  eventName,
  children,
}: {
  readonly view: EditorView;
  readonly eventName: Localized;
  readonly children: ReactNode;
}) {
  const { ja, en } = eventName;
  const languages = useMemo(() => offeredLangs({ ja, en }), [ja, en]);
  return (
    <EditorContext.Provider value={view}>
      <OfferedLanguagesProvider value={languages}>{children}</OfferedLanguagesProvider>
    </EditorContext.Provider>
  );
}
