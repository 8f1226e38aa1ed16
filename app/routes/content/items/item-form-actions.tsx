import { Form, useNavigate, useSearchParams } from "@remix-run/react";
import type { FormEvent } from "react";
import { Button } from "~/components/button";
import { MenuDivider, MenuGroup, MenuSubmit } from "~/components/menus/menu";
import type { PartType } from "~/domain/content/content";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { listHref, openItemId } from "../editor/panels";
import { createdIds, listEdits, parseListAction } from "../list/list-actions";

/** Id of the form with the actions on the open item. */
const ACTIONS_FORM_ID = "item-actions";

/** Actions on a single item, each with its icon: `duplicate` copies it within the event, and `copy` to another event. */
const ITEM_ACTIONS = { duplicate: "copy", copy: "move-into", delete: "trash" } as const;
const ITEM_ACTION_NAMES = Object.keys(ITEM_ACTIONS) as (keyof typeof ITEM_ACTIONS)[];

/** The actions on the open item as entries of the panel's menu; nothing while no item is open. */
export function OpenItemActions() {
  const { t, language } = useTranslation();
  const { tags, media } = useEditorView().state.content;
  const [searchParams] = useSearchParams();
  const openId = searchParams.has("pick") ? null : openItemId(searchParams);
  const item = [...tags, ...media].find(({ id }) => id === openId);
  if (!item) return null;
  return (
    <>
      <MenuGroup label={inLanguage(item.title, language).text || t("content:untitled")}>
        {ITEM_ACTION_NAMES.map((action) => (
          <MenuSubmit key={action} form={ACTIONS_FORM_ID} value={action} icon={ITEM_ACTIONS[action]}>
            {t(`content:actions.${action}`)}
          </MenuSubmit>
        ))}
      </MenuGroup>
      <MenuDivider />
    </>
  );
}

/** Actions on one tag or media item, below its form. */
export function ItemFormActions({ type, id }: { readonly type: PartType; readonly id: Uuid }) {
  const { t } = useTranslation();
  const { editor, state } = useEditorView();
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const listAction = parseListAction(submitter?.value ?? "");
    // The action `copy` is submitted, because the server's response opens the dialog with the other events.
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
  return (
    <Form
      id={ACTIONS_FORM_ID}
      method="post"
      onSubmit={onSubmit}
      className="-mx-3 flex flex-wrap gap-1 border-t border-line pt-4"
    >
      <input type="hidden" name="intent" value="list" />
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="item" value={id} />
      {ITEM_ACTION_NAMES.map((action) => (
        <Button
          key={action}
          type="submit"
          variant="quiet"
          icon={ITEM_ACTIONS[action]}
          name="do"
          value={action}
        >
          {t(`content:actions.${action}`)}
        </Button>
      ))}
    </Form>
  );
}
