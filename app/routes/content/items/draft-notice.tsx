import { Form } from "@remix-run/react";
import type { FormEvent } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/status/notice";
import type { PartType } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { listEdits } from "../list/list-actions";

export interface DraftNoticeProps {
  readonly type: PartType;
  readonly id: Uuid;
  /** Whether the item becomes visible to visitors when its form is closed. */
  readonly becomesVisible?: boolean;
}

/** States that visitors do not see an item, with a button that makes it visible. */
export function DraftNotice({ type, id, becomesVisible = false }: DraftNoticeProps) {
  const { t } = useTranslation();
  const { editor, state } = useEditorView();
  const onSubmit = (event: FormEvent) => {
    if (!editor) return;
    event.preventDefault();
    editor.run(listEdits(state.content, "show", type, [id], () => crypto.randomUUID()));
  };
  return (
    <Notice>
      <Form method="post" onSubmit={onSubmit} className="flex flex-wrap items-center justify-between gap-2">
        <input type="hidden" name="intent" value="list" />
        <input type="hidden" name="type" value={type} />
        <input type="hidden" name="item" value={id} />
        <span>{t(becomesVisible ? "content:draft.waiting" : `content:draft.${type}`)}</span>
        <Button type="submit" icon="eye" name="do" value="show">
          {t("content:draft.show")}
        </Button>
      </Form>
    </Notice>
  );
}
