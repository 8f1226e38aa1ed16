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
    const listAction = parseListAction(submitter?.value ?? "");
    if (!editor || !listAction) {
      editor?.flush();
      return;
    }
    event.preventDefault();
    const edits = listEdits(state.content, listAction.action, type, [id], () => crypto.randomUUID());
    editor.run(edits);
    const [copyId] = createdIds(edits);
    const paramName = type === "tag" ? "tag" : "medium";
    if (copyId) navigate(listHref(searchParams, { [paramName]: copyId }), { preventScrollReset: true });
    if (listAction.action === "delete")
      navigate(listHref(searchParams, { restore: id }), { preventScrollReset: true });
  };
  const renderButton = (action: "duplicate" | "copy" | "delete", icon: "copy" | "move-into" | "trash") => (
    <Button type="submit" variant="quiet" icon={icon} name="do" value={action}>
      {t(`content:actions.${action}`)}
    </Button>
  );
  return (
    <Form method="post" onSubmit={onSubmit} className="-mx-3 flex flex-wrap gap-1 border-t border-line pt-4">
      <input type="hidden" name="intent" value="list" />
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="item" value={id} />
      {renderButton("duplicate", "copy")}
      {renderButton("copy", "move-into")}
      {renderButton("delete", "trash")}
    </Form>
  );
}
