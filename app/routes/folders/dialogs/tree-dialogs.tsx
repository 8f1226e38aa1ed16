import { createLatePart } from "~/i18n/late-part";
import type { TreeDialogsProps } from "./dialogs";

const Dialogs = createLatePart(() => import("./dialogs"));

/** Dialog about folders or their items that the page's URL opens, or that a rejected form needs. Its script is loaded when it is first opened. */
export function TreeDialogs(props: TreeDialogsProps) {
  return props.dialog || props.outcome ? <Dialogs {...props} /> : null;
}
