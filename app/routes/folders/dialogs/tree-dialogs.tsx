import { later } from "~/i18n/later";
import type { TreeOutcome } from "../action.server";
import type { TreeDialogData } from "./dialog.server";

const Dialogs = later(() => import("./dialogs"));

export interface TreeDialogsProps {
  /** Data of the dialog that the address opens. */
  readonly dialog: TreeDialogData | null;
  /** Result of the form, if it was submitted. */
  readonly outcome: TreeOutcome | null;
  /** Address of the list without a dialog. */
  readonly closeHref: string;
  /** Name of the root folder. */
  readonly rootLabel: string;
}

/** Dialog of a page with folders that its address opens, or that a rejected form needs. Its script is loaded when it is first opened. */
export function TreeDialogs(props: TreeDialogsProps) {
  return props.dialog || props.outcome ? <Dialogs {...props} /> : null;
}
