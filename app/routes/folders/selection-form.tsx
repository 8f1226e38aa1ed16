import { Form, useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "~/components/button";
import { useTranslation } from "~/i18n/translation";
import { useFocusAfterRemoval, useListKeys } from "./list-keys";
import { SelectionBar } from "./selection";

export interface SelectionFormProps {
  readonly label: string;
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Number of items on the page. */
  readonly size: number;
  /** Whether the items can be copied. Media cannot. */
  readonly canCopy: boolean;
  /** The list, with a checkbox for each item. */
  readonly children: ReactNode;
}

/**
 * Form around a list whose items can be selected, to be moved, copied or deleted together. Its buttons open a dialog for the selected items. A
 * completed action deselects the items of its dialog.
 */
export function SelectionForm({ label, listParams, size, canCopy, children }: SelectionFormProps) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  // Another list is another form element, without a selection. Dialogs over the list keep the element, and with it the selection and the focus.
  const key = `${pathname}?${listParams}`;
  useListKeys(form, key);
  useFocusAfterRemoval(form, key);
  const dialogItems = useRef<readonly string[]>([]);
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (params.has("dialog")) dialogItems.current = params.getAll("item");
    if (!params.has("toast")) return;
    for (const checkbox of form.current?.querySelectorAll<HTMLInputElement>("[name=item]") ?? [])
      if (dialogItems.current.includes(checkbox.value)) checkbox.checked = false;
    form.current?.dispatchEvent(new Event("change"));
  }, [search]);
  return (
    <Form
      ref={form}
      method="get"
      key={key}
      aria-label={label}
      preventScrollReset
      className="group/list grid grid-cols-1 gap-6"
    >
      {[...listParams].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
      <SelectionBar size={size}>
        <Button type="submit" name="dialog" value="move" icon="move-into">
          {t("folders:move")}
        </Button>
        {canCopy && (
          <Button type="submit" name="dialog" value="copy" icon="copy">
            {t("folders:copy")}
          </Button>
        )}
        <Button type="submit" name="dialog" value="delete" icon="trash">
          {t("folders:delete")}
        </Button>
      </SelectionBar>
    </Form>
  );
}
