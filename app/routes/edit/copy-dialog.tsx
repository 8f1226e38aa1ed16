import { Form, useSearchParams } from "@remix-run/react";
import { Dialog } from "~/components/dialog";
import { Notice } from "~/components/notice";
import { RadioCards } from "~/components/radio-cards";
import { toUuid } from "~/domain/ids";
import { FormButtons } from "~/forms/form-parts";
import { useMessage } from "~/forms/words";
import { useTranslation } from "~/i18n/use-translation";
import type { ContentOutcome } from "./content-post.server";
import { listHref, readPanel } from "./panels";
import type { CopyTargets } from "./read.server";

/** Asks to which other event of the space things are to be copied. */
export function CopyDialog({
  targets,
  outcome,
}: {
  readonly targets: CopyTargets;
  readonly outcome: ContentOutcome | null;
}) {
  const { t } = useTranslation();
  const message = useMessage();
  const [search] = useSearchParams();
  const ids = (search.get("copy") ?? "").split(" ").flatMap((id) => toUuid(id) ?? []);
  const type = readPanel(search) === "media" ? "media" : "tag";
  const closeHref = listHref(search);
  return (
    <Dialog title={t("editor.copy.title", { count: ids.length })} closeHref={closeHref}>
      {targets.length === 0 ? (
        <p className="text-phrase">{t("editor.copy.none")}</p>
      ) : (
        <Form method="post" className="grid gap-6">
          <input type="hidden" name="intent" value="copy" />
          <input type="hidden" name="type" value={type} />
          {ids.map((id) => (
            <input key={id} type="hidden" name="item" value={id} />
          ))}
          {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
          <p className="text-muted text-phrase">{t("editor.copy.text")}</p>
          <RadioCards
            name="targetEventId"
            label={t("editor.copy.target")}
            required
            options={targets.map(({ id, name, statusId }) => ({
              value: id,
              label: name,
              description: t(`kit.statuses.${statusId}`),
            }))}
          />
          <FormButtons
            keepScroll
            submit={t("editor.copy.submit")}
            cancel={t("events.cancel")}
            cancelHref={closeHref}
          />
        </Form>
      )}
    </Dialog>
  );
}
