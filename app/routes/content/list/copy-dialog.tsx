import { Form, useSearchParams } from "@remix-run/react";
import { ButtonRow, LinkButton } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { RadioCards } from "~/components/fields/radio-cards";
import { Notice } from "~/components/status/notice";
import type { PartType } from "~/domain/content/content";
import { toUuid } from "~/domain/shared/ids";
import { FormButtons } from "~/forms/shared/form-parts";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { ContentOutcome } from "../editor/content-post.server";
import { listHref, readPanel } from "../editor/panels";
import type { CopyTargets } from "../editor/read.server";
import { CopiedItemsLink } from "./copied-notice";

/** Asks for the event of the same space to which items are copied. */
export function CopyDialog({
  targets,
  outcome,
}: {
  readonly targets: CopyTargets;
  readonly outcome: ContentOutcome | null;
}) {
  const { t } = useTranslation();
  const message = useMessage();
  const [searchParams] = useSearchParams();
  const ids = (searchParams.get("copy") ?? "").split(" ").flatMap((id) => toUuid(id) ?? []);
  const type = readPanel(searchParams) === "media" ? "media" : "tag";
  const closeHref = listHref(searchParams);
  return (
    <Dialog title={t("content:copy.title", { count: ids.length })} closeHref={closeHref}>
      {outcome?.copy ? (
        <CopyReport copy={outcome.copy} targets={targets} type={type} closeHref={closeHref} />
      ) : targets.length === 0 ? (
        <p className="text-phrase">{t("content:copy.none")}</p>
      ) : (
        <Form method="post" className="grid gap-6">
          <input type="hidden" name="intent" value="copy" />
          <input type="hidden" name="type" value={type} />
          {ids.map((id) => (
            <input key={id} type="hidden" name="item" value={id} />
          ))}
          {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
          <p className="text-muted text-phrase">{t("content:copy.text")}</p>
          <RadioCards
            name="targetEventId"
            label={t("content:copy.target")}
            required
            options={targets.map(({ id, name, statusId }) => ({
              value: id,
              label: name,
              description: t(`shared:statuses.${statusId}`),
            }))}
          />
          <FormButtons
            keepScroll
            submit={t("content:copy.submit")}
            cancel={t("events:cancel")}
            cancelHref={closeHref}
          />
        </Form>
      )}
    </Dialog>
  );
}

/** Lists the rejected and the incomplete items by name. It has no retry button, because submitting the form again would copy the copied items twice. */
function CopyReport({
  copy,
  targets,
  type,
  closeHref,
}: {
  readonly copy: NonNullable<ContentOutcome["copy"]>;
  readonly targets: CopyTargets;
  readonly type: PartType;
  readonly closeHref: string;
}) {
  const { t } = useTranslation();
  const target = targets.find(({ id }) => id === copy.to);
  const renderList = (title: string, names: readonly string[]) =>
    names.length > 0 && (
      <section className="grid gap-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <ul className="max-h-60 list-disc overflow-y-auto pl-5 text-sm">
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and the list never changes
            <li key={index} className="wrap-anywhere">
              {name || t("events:history.untitled")}
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <div className="grid gap-6">
      <Notice tone="warning" title={t("content:copy.partly", { count: copy.copiedCount })} live>
        {target && <CopiedItemsLink target={target} type={type} />}
      </Notice>
      {renderList(t("content:copy.rejected"), copy.rejectedTitles)}
      {renderList(t("content:copy.withoutMedia"), copy.incompleteTitles)}
      <ButtonRow>
        <LinkButton href={closeHref} variant="primary" keepScroll>
          {t("content:copy.close")}
        </LinkButton>
      </ButtonRow>
    </div>
  );
}
