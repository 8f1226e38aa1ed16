import { useEffect, useRef } from "react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { LANGS } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";
import type { Values } from "~/features/content/editor/content";
import type { HeldConflict } from "~/features/content/editor/held-changes";
import { useMessage } from "~/forms/shared/user-message";
import type { MessageKey, Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { type ContentConflictRow, contentConflictRows, formatSceneValue } from "../scene/scene-labels";

/**
 * Message keys for the fields of tags, media items and the scene, and for the parts of fields that have several. The stem of a tag is the line from its
 * position to its pin; the reach of a sound is the distance at which it can be heard.
 */
export const VALUE_LABELS = {
  title: "content:values.title",
  body: "content:values.body",
  description: "content:values.description",
  color: "content:tag.color",
  icon: "content:tag.icon",
  keywords: "content:tag.keywords",
  linkUrl: "content:tag.link",
  position: "content:place.position",
  stem: "content:values.stem",
  viewpoint: "content:view.title",
  mediaIds: "content:values.media",
  product: "content:values.product",
  hidden: "content:hidden",
  placement: "content:place.inSpace",
  normal: "content:place.normal",
  length: "content:tag.stem",
  reach: "content:media.reach",
  startView: "content:sceneEditor.values.startView",
  tour: "content:sceneEditor.values.tour",
  text: "content:sceneEditor.values.text",
  seconds: "content:sceneEditor.values.seconds",
  tagId: "content:sceneEditor.values.tagId",
  plan: "content:sceneEditor.values.plan",
  products: "store:products",
  view: "content:view.title",
  mediaId: "content:sceneEditor.plan.image",
  center: "content:sceneEditor.plan.center",
  width: "content:sceneEditor.plan.width",
  rotation: "content:sceneEditor.plan.rotation",
} as const satisfies Readonly<Record<string, MessageKey>>;

/** Returns the labels of the fields. */
export function useValueLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation();
  return Object.fromEntries(Object.entries(VALUE_LABELS).map(([name, key]) => [name, t(key)]));
}

/** Formats a value for people. */
function formatValue(value: unknown, t: Translate, lang: Lang): string {
  if (value === null || value === undefined || value === "") return t("events:none");
  if (typeof value === "boolean") return t(value ? "events:yes" : "events:no");
  if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
  if (typeof value === "string") return value;
  const sceneText = formatSceneValue(value, t, lang);
  if (sceneText !== null) return sceneText;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "number"))
      return value.map((item) => formatValue(item, t, lang)).join(" / ");
    // Ids are meaningless to people, so only their number is shown.
    return value.every((item) => /^[0-9a-f-]{36}$/.test(String(item)))
      ? t("content:values.count", { count: value.length })
      : value.join(t("shared-owners:listSeparator"));
  }
  const { position, title, ...texts } = value as Values;
  if (LANGS.every((language) => typeof texts[language] === "string"))
    return LANGS.flatMap((language) => {
      const text = String(texts[language]);
      return text
        ? [t("shared-owners:labelled", { label: t(`shared-owners:languages.${language}`), value: text })]
        : [];
    }).join("\n");
  return formatValue(position ?? title ?? null, t, lang);
}

/** Both versions of a conflict, field by field. */
export function ConflictRows({ rows }: { readonly rows: readonly ContentConflictRow[] }) {
  const { t, language } = useTranslation();
  const { tags } = useEditorView().state.content;
  const describe = (field: string, value: unknown) => {
    const tag = field === "tagId" && tags.find(({ id }) => id === value);
    return formatValue(tag ? tag.title : value, t, language);
  };
  return (
    <table className="w-full table-fixed text-left text-sm">
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          {(["conflictField", "conflictSaved", "conflictYours"] as const).map((column) => (
            <th key={column} scope="col" className="py-2 pr-3 font-normal text-phrase">
              {t(`events:${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ field, stop, saved, localValue }) => (
          <tr key={`${stop} ${field}`} className="align-top wrap-anywhere">
            <th scope="row" className="py-2 pr-3 font-semibold text-phrase">
              {stop !== undefined && (
                <span className="block font-normal">{t("content:sceneEditor.tour.stop", { at: stop })}</span>
              )}
              {t(VALUE_LABELS[field as keyof typeof VALUE_LABELS] ?? "content:values.other")}
            </th>
            <td className="py-2 pr-3 whitespace-pre-line">{describe(field, saved)}</td>
            <td className="py-2 pr-3 whitespace-pre-line">{describe(field, localValue)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Changes of one item that could not be saved, with a button for each choice and, if the same fields were saved elsewhere, both values of each field. */
export function ConflictNotice({ conflict }: { readonly conflict: HeldConflict }) {
  const { t } = useTranslation();
  const message = useMessage();
  const { editor } = useEditorView();
  const element = useRef<HTMLElement>(null);
  const { id, reason, saved, localValues, errors } = conflict;
  useEffect(() => {
    element.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const errorTexts = Object.values(errors).flat().map(message);
  return (
    <section ref={element} aria-label={t(`content:conflict.${reason}`)} className="grid scroll-mt-32 gap-4">
      <Notice tone="warning" title={t(`content:conflict.${reason}`)} live>
        {errorTexts.length > 0 ? errorTexts.join(t("shared:space")) : t(`content:conflictText.${reason}`)}
      </Notice>
      {reason === "stale" && <ConflictRows rows={contentConflictRows(localValues, saved)} />}
      <ButtonRow>
        <Button onClick={() => editor?.choose(id, "mine")}>
          {t(
            reason === "stale"
              ? "content:conflict.overwrite"
              : reason === "gone"
                ? "content:conflict.restoreWithChanges"
                : "content:conflict.tryAgain",
          )}
        </Button>
        <Button variant="quiet" onClick={() => editor?.choose(id, "saved")}>
          {t(reason === "gone" ? "content:conflict.keepDeleted" : "content:conflict.useSaved")}
        </Button>
      </ButtonRow>
    </section>
  );
}

/** Conflict of a form that was submitted without scripts. Its link shows the saved values; the button of the form overwrites them. */
export function FormConflict({
  conflict,
  savedValuesHref,
}: {
  readonly conflict: { readonly saved: Values; readonly localValues: Values };
  readonly savedValuesHref: string;
}) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("content:conflict.stale")} className="grid gap-4">
      <Notice tone="warning" title={t("content:conflict.stale")} live>
        {t("events:conflictText")}
      </Notice>
      <ConflictRows rows={contentConflictRows(conflict.localValues, conflict.saved)} />
      <LinkButton href={savedValuesHref} reload className="w-fit">
        {t("events:conflictUseSaved")}
      </LinkButton>
    </section>
  );
}
