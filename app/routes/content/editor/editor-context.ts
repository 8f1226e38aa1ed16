import { type Context, type RefObject, useContext } from "react";
import type { PartType, TrashedMedium } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import type { Editor, EditorState } from "~/editor/editor";
import { ToldContext } from "~/i18n/later";
import type { Connection, ViewerHandle, ViewerSource } from "~/viewer/Viewer";
import type { Attached } from "../../store/settings/use-event-store";
import type { UnfinishedForms } from "../drafts/unsaved-forms";
import type { HiddenFiles } from "../items/hidden-files";

/** What the next point chosen in the space is for: something that is there, or a new tag. */
export type Placing = { readonly type: PartType; readonly id: Uuid } | { readonly type: "new" };

/** What all parts of the editor's panel share. */
export interface EditorView {
  readonly eventId: Uuid;
  readonly spaceId: Uuid;
  /** Null without scripts, and until they are there: then forms are sent. */
  readonly editor: Editor | null;
  readonly state: EditorState;
  /** Media that visitors do not see, as their files lie in the library's trash. */
  readonly trashed: readonly TrashedMedium[];
  /** Library files of the event's media items that visitors do not see, with the reason. */
  readonly hiddenFiles: HiddenFiles;
  /** What cannot be saved as it was typed. */
  readonly unfinished: UnfinishedForms;
  readonly stage: RefObject<ViewerHandle>;
  /** What the stage shows. */
  readonly source: ViewerSource;
  readonly placing: Placing | null;
  /** Whether the space can tell where something is. */
  readonly canPlace: boolean;
  /** The stage could not show the space, or shows it no longer. */
  readonly hasFailed: boolean;
  /** How a showcase stands to the page; null for other spaces. */
  readonly connection: Connection | null;
  /** Whether the event has a store, and what is known of the products that are attached. */
  readonly store: { readonly isConnected: boolean; readonly attached: Attached };
  /** Whether visitors see at once what is saved. */
  readonly isPublished: boolean;
  readonly onPlacing: (placing: Placing | null) => void;
}

/** Set by the editor's screen. */
export const EditorContext = ToldContext as Context<EditorView | null>;

/** The editor around a component. */
export function useEditorView(): EditorView {
  const view = useContext(EditorContext);
  if (!view) throw new Error("useEditorView needs an EditorContext around it");
  return view;
}
