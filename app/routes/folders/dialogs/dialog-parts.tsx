import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { useTranslation } from "~/i18n/translation";

interface DialogFooterProps {
  readonly form: string;
  readonly submit: string;
  readonly isDestructive?: boolean;
  readonly disabled?: boolean;
  readonly closeHref: string;
}

/** Buttons at the bottom of the dialog, which stay visible even if its list is long. */
export function DialogFooter({
  form,
  submit,
  isDestructive = false,
  disabled,
  closeHref,
}: DialogFooterProps) {
  const { t } = useTranslation();
  const busy = useNavigation().formMethod === "POST";
  return (
    <ButtonRow>
      <Button
        type="submit"
        form={form}
        variant={isDestructive ? "danger" : "primary"}
        pending={busy}
        disabled={disabled}
      >
        {submit}
      </Button>
      <LinkButton href={closeHref} variant="quiet" keepScroll>
        {t("folders:cancel")}
      </LinkButton>
    </ButtonRow>
  );
}

/** Maximum number of names in the list. */
const NAMES_MAX = 8;

/** Names of the items if there are several. */
export function ItemNames({
  items,
}: {
  readonly items: readonly { readonly id: string; readonly name: string }[];
}) {
  const { t } = useTranslation();
  if (items.length < 2) return null;
  const hiddenCount = items.length - NAMES_MAX;
  return (
    <ul className="list-disc pl-5 text-sm">
      {items.slice(0, NAMES_MAX).map((item) => (
        <li key={item.id}>{item.name}</li>
      ))}
      {hiddenCount > 0 && <li>{t("folders:more", { count: hiddenCount })}</li>}
    </ul>
  );
}

/** Form of a dialog about one or several items, with hidden fields for the action and the items. */
export function ItemsForm({
  id,
  intent,
  refs,
  children,
}: {
  readonly id: string;
  readonly intent: string;
  readonly refs: string;
  readonly children: ReactNode;
}) {
  return (
    <Form method="post" id={id} className="grid gap-4">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="item" value={refs} />
      {children}
    </Form>
  );
}
