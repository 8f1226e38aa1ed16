import { Form } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { useTranslation } from "~/i18n/use-translation";

/** The question before a state is brought back. */
export function RestoreDialog({ seq, closeHref }: { readonly seq: number; readonly closeHref: string }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("history.restoreAsk")} closeHref={closeHref} size="small">
      <Form method="post" className="grid gap-6">
        <p className="text-muted text-phrase">{t("history.restoreText")}</p>
        <input type="hidden" name="intent" value="restore" />
        <input type="hidden" name="seq" value={seq} />
        <ButtonRow>
          <Button type="submit" variant="primary" icon="undo">
            {t("history.restoreSubmit")}
          </Button>
          <LinkButton href={closeHref} variant="quiet" keepScroll>
            {t("history.cancel")}
          </LinkButton>
        </ButtonRow>
      </Form>
    </Dialog>
  );
}
