import { Form } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";

/** Asks for confirmation before a state is restored. */
export function RestoreDialog({
  seq,
  closeHref,
  isPublished,
}: {
  readonly seq: number;
  readonly closeHref: string;
  /** Visitors see the restored content immediately. */
  readonly isPublished: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("events:history.restoreAsk")} closeHref={closeHref} size="small">
      <Form method="post" className="grid gap-6">
        <p className="text-muted text-phrase">{t("events:history.restoreText")}</p>
        {isPublished && <Notice tone="warning">{t("events:history.restoreSeen")}</Notice>}
        <input type="hidden" name="intent" value="restore" />
        <input type="hidden" name="seq" value={seq} />
        <ButtonRow>
          <Button type="submit" variant="primary" icon="undo">
            {t("events:history.restoreSubmit")}
          </Button>
          <LinkButton href={closeHref} variant="quiet" keepScroll>
            {t("events:history.cancel")}
          </LinkButton>
        </ButtonRow>
      </Form>
    </Dialog>
  );
}
