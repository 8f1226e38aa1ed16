import { useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { LinkButton } from "~/components/button";
import { Notice } from "~/components/notice";
import { EmptyState } from "~/components/states";
import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";
import { useMessage } from "~/forms/words";
import { useTranslation } from "~/i18n/translation";
import type { AccessibleList } from "~/viewer/Viewer";
import type { ContentOutcome } from "./content-post.server";
import { useEditorView } from "./editor-context";
import { ItemsPanel } from "./items-panel";
import { MediumEditor } from "./medium-editor";
import { listHref } from "./panels";
import { MediaPicker } from "./picker";
import { ProductPickerPage } from "./product-picker";
import type { Copied, Picker } from "./read.server";
import type { ProductPicker } from "./store-read.server";
import { TagEditor } from "./tag-editor";
import { useLeftOver } from "./use-left-over";
import { useNewId } from "./use-new-id";

export interface ContentPanelProps {
  readonly panel: "tags" | "media";
  readonly twin: AccessibleList;
  readonly picker: Picker | null;
  readonly products: ProductPicker | null;
  /** For a tag that is to be made: the server's and the browser's are the same. */
  readonly newId: Uuid;
  readonly outcome: ContentOutcome | null;
  /** Where things of the list were just copied to. */
  readonly copied: Copied;
}

/** The panel of tags, or of media: the list, one thing's form, or the picker, as the address says. */
export function ContentPanel(props: ContentPanelProps) {
  const { panel, twin, picker, products, newId: firstId, outcome, copied } = props;
  const message = useMessage();
  const [search] = useSearchParams();
  const { state } = useEditorView();
  const asked = search.get("tag");
  const newId = useNewId(asked === "new", firstId);
  const tagId = panel === "tags" ? (asked === "new" ? newId : toUuid(asked)) : null;
  const tag = state.content.tags.find(({ id }) => id === tagId);
  const mediumId = panel === "media" ? toUuid(search.get("medium")) : null;
  const medium = state.content.media.find(({ id }) => id === mediumId);
  const shownId = tagId ?? mediumId;
  const last = useRef<Uuid | null>(null);
  useEffect(() => {
    if (shownId) last.current = shownId;
  }, [shownId]);
  if (products && tag) return <ProductPickerPage picker={products} tag={tag} outcome={outcome} />;
  if (picker) return <MediaPicker picker={picker} tag={tag ?? null} outcome={outcome} />;
  if (tagId && (tag || asked === "new"))
    return <TagEditor key={tagId} id={tagId} tag={tag} outcome={outcome} />;
  if (medium) return <MediumEditor key={medium.id} medium={medium} outcome={outcome} />;
  if (tagId || mediumId) return <NotThere type={tagId ? "tag" : "media"} />;
  return (
    <>
      {outcome?.problem && !search.has("copy") && (
        <Notice tone="danger" title={message(outcome.problem)} live />
      )}
      <ItemsPanel
        type={panel === "tags" ? "tag" : "media"}
        twin={twin}
        returnTo={last.current}
        copied={copied}
      />
    </>
  );
}

/** What the address names is not there: deleted here or by somebody else. */
function NotThere({ type }: { readonly type: "tag" | "media" }) {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const whole = useLeftOver();
  return (
    <div ref={whole} tabIndex={-1}>
      <EmptyState
        icon="trash"
        title={t(`content:notThere.${type}`)}
        action={<LinkButton href={listHref(search)}>{t(`content:backTo.${type}`)}</LinkButton>}
      />
    </div>
  );
}
