import { useEffect, useRef } from "react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Notice } from "~/components/notice";
import type { Lang } from "~/domain/model";
import type { Values } from "~/editor/content";
import type { Conflict } from "~/editor/held";
import { useMessage } from "~/forms/words";
import type { Translate, WordKey } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";
import { useEditorView } from "./editor-context";
import { type ContentRow, rowsOf, sceneWords } from "./scene-words";

/** What the values of tags, media and the scene are called, and the parts of those that have several fields. */
export const VALUE_LABELS = {
  title: "editor.values.title",
  body: "editor.values.body",
  description: "editor.values.description",
  color: "editor.tag.color",
  icon: "editor.tag.icon",
  keywords: "editor.tag.keywords",
  linkUrl: "editor.tag.link",
  position: "editor.place.position",
  stem: "editor.values.stem",
  viewpoint: "editor.view.title",
  mediaIds: "editor.values.media",
  product: "editor.values.product",
  hidden: "editor.hidden",
  placement: "editor.place.hang",
  normal: "editor.place.normal",
  length: "editor.tag.stem",
  reach: "editor.medium.reach",
  startView: "sceneEditor.values.startView",
  tour: "sceneEditor.values.tour",
  text: "sceneEditor.values.text",
  seconds: "sceneEditor.values.seconds",
  tagId: "sceneEditor.values.tagId",
  plan: "sceneEditor.values.plan",
  products: "storeEditor.products",
  view: "editor.view.title",
  mediaId: "sceneEditor.plan.picture",
  center: "sceneEditor.plan.center",
  width: "sceneEditor.plan.width",
  rotation: "sceneEditor.plan.rotation",
} as const satisfies Readonly<Record<string, WordKey>>;

/** What the values are called, in words. */
export function useValueLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation();
  return Object.fromEntries(Object.entries(VALUE_LABELS).map(([name, key]) => [name, t(key)]));
}

/** A value as people read it. */
function words(value: unknown, t: Translate, lang: Lang): string {
  if (value === null || value === undefined || value === "") return t("events.none");
  if (typeof value === "boolean") return t(value ? "events.yes" : "events.no");
  if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
  if (typeof value === "string") return value;
  const ofScene = sceneWords(value, t, lang);
  if (ofScene !== null) return ofScene;
  if (Array.isArray(value)) {
    if (value.every((each) => typeof each === "number"))
      return value.map((each) => words(each, t, lang)).join(" / ");
    // Ids say nothing to anybody: how many there are does.
    return value.every((each) => /^[0-9a-f-]{36}$/.test(String(each)))
      ? t("editor.values.count", { count: value.length })
      : value.join(", ");
  }
  const { ja, en, position, title } = value as Values;
  if (typeof ja === "string" && typeof en === "string")
    return [ja && `${t("editor.languages.ja")}: ${ja}`, en && `${t("editor.languages.en")}: ${en}`]
      .filter(Boolean)
      .join("\n");
  return words(position ?? title ?? null, t, lang);
}

/** Both versions of what two people changed, field by field. */
export function ConflictRows({ rows }: { readonly rows: readonly ContentRow[] }) {
  const { t, language } = useTranslation();
  const { tags } = useEditorView().state.content;
  const said = (field: string, value: unknown) => {
    const tag = field === "tagId" && tags.find(({ id }) => id === value);
    return words(tag ? tag.title : value, t, language);
  };
  return (
    <table className="w-full table-fixed text-left text-sm">
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          {(["conflictField", "conflictSaved", "conflictYours"] as const).map((head) => (
            <th key={head} scope="col" className="py-2 pr-3 font-normal text-phrase">
              {t(`events.${head}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ field, stop, saved, mine }) => (
          <tr key={`${stop} ${field}`} className="align-top [overflow-wrap:anywhere]">
            <th scope="row" className="py-2 pr-3 font-semibold text-phrase">
              {stop !== undefined && (
                <span className="block font-normal">{t("sceneEditor.tour.stop", { at: stop })}</span>
              )}
              {t(VALUE_LABELS[field as keyof typeof VALUE_LABELS] ?? "editor.values.other")}
            </th>
            <td className="py-2 pr-3 whitespace-pre-line">{said(field, saved)}</td>
            <td className="py-2 pr-3 whitespace-pre-line">{said(field, mine)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Changes of one thing that could not be saved: what is saved, what is meant here, and the choice. */
export function ConflictNotice({ conflict }: { readonly conflict: Conflict }) {
  const { t } = useTranslation();
  const message = useMessage();
  const { editor } = useEditorView();
  const whole = useRef<HTMLElement>(null);
  const { id, reason, saved, mine, errors } = conflict;
  useEffect(() => {
    whole.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const errorTexts = Object.values(errors).flat().map(message);
  return (
    <section ref={whole} aria-label={t(`editor.conflict.${reason}`)} className="grid scroll-mt-32 gap-4">
      <Notice tone="warning" title={t(`editor.conflict.${reason}`)} live>
        {errorTexts.length > 0 ? errorTexts.join(" ") : t(`editor.conflictText.${reason}`)}
      </Notice>
      {reason === "stale" && <ConflictRows rows={rowsOf(mine, saved)} />}
      <ButtonRow>
        <Button onClick={() => editor?.choose(id, "mine")}>
          {t(
            reason === "stale"
              ? "editor.conflict.keepMine"
              : reason === "gone"
                ? "editor.conflict.bringBack"
                : "editor.conflict.tryAgain",
          )}
        </Button>
        <Button variant="quiet" onClick={() => editor?.choose(id, "saved")}>
          {t(reason === "gone" ? "editor.conflict.letGo" : "editor.conflict.takeSaved")}
        </Button>
      </ButtonRow>
    </section>
  );
}

/** The same of a form that was sent, whose button then saves over what is saved. */
export function FormConflict({
  conflict,
  takeHref,
}: {
  readonly conflict: { readonly saved: Values; readonly mine: Values };
  readonly takeHref: string;
}) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("editor.conflict.stale")} className="grid gap-4">
      <Notice tone="warning" title={t("editor.conflict.stale")} live>
        {t("events.conflictText")}
      </Notice>
      <ConflictRows rows={rowsOf(conflict.mine, conflict.saved)} />
      <LinkButton href={takeHref} reload className="w-fit">
        {t("events.conflictTakeSaved")}
      </LinkButton>
    </section>
  );
}
