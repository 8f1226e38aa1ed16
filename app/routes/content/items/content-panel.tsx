import { useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { EmptyState } from "~/components/status/states";
import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { AccessibleList } from "~/viewer/Viewer";
import { UploadResults } from "../../library/list/upload-results";
import { ProductPickerPage } from "../../store/products/product-picker";
import type { ProductPicker } from "../../store/settings/store-read.server";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { listHref } from "../editor/panels";
import type { Copied } from "../editor/read.server";
import { useNewId } from "../editor/use-new-id";
import { useRestoreFocus } from "../focus/use-restore-focus";
import { ItemsPanel } from "../list/items-panel";
import { MediaPicker } from "../media-picker/media-picker";
import type { Picker } from "../media-picker/read.server";
import { MediaItemEditor } from "./media-item-editor";
import { TagEditor } from "./tag-editor";

export interface ContentPanelProps {
  readonly panel: "tags" | "media";
  readonly accessibleList: AccessibleList;
  readonly picker: Picker | null;
  readonly products: ProductPicker | null;
  /** Id of a tag that is created; the same on the server and in the browser. */
  readonly newId: Uuid;
  readonly outcome: ContentOutcome | null;
  /** Target of the items that were just copied. */
  readonly copied: Copied;
}

/** The panel of tags or of media items: the list, one item's form, or the picker, depending on the URL. */
export function ContentPanel(props: ContentPanelProps) {
  const { panel, accessibleList, picker, products, newId: initialNewId, outcome, copied } = props;
  const message = useMessage();
  const [searchParams] = useSearchParams();
  const { state } = useEditorView();
  const requestedTag = searchParams.get("tag");
  const newId = useNewId(requestedTag === "new", initialNewId);
  const tagId = panel === "tags" ? (requestedTag === "new" ? newId : toUuid(requestedTag)) : null;
  const tag = state.content.tags.find(({ id }) => id === tagId);
  const mediaId = panel === "media" ? toUuid(searchParams.get("medium")) : null;
  const mediaItem = state.content.media.find(({ id }) => id === mediaId);
  const openId = tagId ?? mediaId;
  const lastOpenId = useRef<Uuid | null>(null);
  useEffect(() => {
    if (openId) lastOpenId.current = openId;
  }, [openId]);
  if (products && tag) return <ProductPickerPage picker={products} tag={tag} outcome={outcome} />;
  if (picker) return <MediaPicker picker={picker} tag={tag ?? null} outcome={outcome} />;
  if (tagId && (tag || requestedTag === "new"))
    return <TagEditor key={tagId} id={tagId} tag={tag} outcome={outcome} />;
  if (mediaItem) return <MediaItemEditor key={mediaItem.id} item={mediaItem} outcome={outcome} />;
  if (tagId || mediaId) return <MissingItem type={tagId ? "tag" : "media"} />;
  return (
    <>
      {outcome?.problem && !searchParams.has("copy") && (
        <Notice tone="danger" title={message(outcome.problem)} live />
      )}
      {outcome?.upload && <UploadResults outcome={outcome.upload} />}
      <ItemsPanel
        type={panel === "tags" ? "tag" : "media"}
        accessibleList={accessibleList}
        returnTo={lastOpenId.current}
        copied={copied}
      />
    </>
  );
}

/** Message that the item of the URL does not exist, for example because it was deleted. */
function MissingItem({ type }: { readonly type: "tag" | "media" }) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const element = useRestoreFocus();
  return (
    <div ref={element} tabIndex={-1}>
      <EmptyState
        icon="trash"
        title={t(`content:notThere.${type}`)}
        action={<LinkButton href={listHref(searchParams)}>{t(`content:backTo.${type}`)}</LinkButton>}
      />
    </div>
  );
}
