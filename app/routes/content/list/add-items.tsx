import { useSearchParams } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import type { PartType } from "~/domain/content/content";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { listHref } from "../editor/panels";
import { EventUploader } from "../media-picker/event-uploader";

/** Controls above a list that add items. */
export function AddItems({ type }: { readonly type: PartType }) {
  const { t } = useTranslation();
  const { editor, canPlace, placing, onPlacing } = useEditorView();
  const [searchParams] = useSearchParams();
  return (
    <div className="flex flex-wrap items-center gap-2">
      {type === "tag" ? (
        <>
          {canPlace && (
            <Button
              variant="primary"
              icon="place"
              // `editor` is null until it has loaded.
              className={cx("needs-script", !editor && "invisible")}
              aria-pressed={placing?.type === "new"}
              onClick={() => onPlacing(placing?.type === "new" ? null : { type: "new" })}
            >
              {t("content:place.newByPointing")}
            </Button>
          )}
          <LinkButton
            variant={canPlace ? "secondary" : "primary"}
            icon="plus"
            href={listHref(searchParams, { tag: "new" })}
            keepScroll
          >
            {t("content:tag.new")}
          </LinkButton>
        </>
      ) : (
        <>
          <LinkButton icon="plus" href={listHref(searchParams, { pick: "media" })} keepScroll>
            {t("content:media.add")}
          </LinkButton>
          <EventUploader tag={null} />
        </>
      )}
    </div>
  );
}
