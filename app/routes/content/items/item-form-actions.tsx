import { Form, useNavigate, useSearchParams } from "@remix-run/react";
import type { FormEvent } from "react";
import { Button } from "~/components/button";
import type { PartType } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { listHref } from "../editor/panels";
import { createdIds, listEdits, parseListAction } from "../list/list-actions";

/** Actions on one tag or media item, below its form. */
export function ItemFormActions({ type, id }: { readonly type: PartType; readonly id: Uuid }) {
  const { t } = useTranslation();
  const { editor, state } = useEditorView();
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const pressed = parseListAction(submitter?.value ?? "");
    if (!editor || !pressed) {
      editor?.flush();
      return;
    }
    event.preventDefault();
    const edits = listEdits(state.content, pressed.action, type, [id], () => crypto.randomUUID());
    editor.run(edits);
    const [copy] = createdIds(edits);
    const key = type === "tag" ? "tag" : "medium";
    if (copy) navigate(listHref(searchParams, { [key]: copy }), { preventScrollReset: true });
    if (pressed.action === "delete")
      navigate(listHref(searchParams, { restore: id }), { preventScrollReset: true });
  };
  const button = (action: "duplicate" | "copy" | "delete", icon: "copy" | "move-into" | "trash") => (
    <Button type="submit" variant="quiet" icon={icon} name="do" value={action}>
      {t(`content:actions.${action}`)}
    </Button>
  );
  return (
    <Form method="post" onSubmit={onSubmit} className="-mx-3 flex flex-wrap gap-1 border-t border-line pt-4">
      <input type="hidden" name="intent" value="list" />
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="item" value={id} />
      {button("duplicate", "copy")}
      {button("copy", "move-into")}
      {button("delete", "trash")}
    </Form>
  );
}
