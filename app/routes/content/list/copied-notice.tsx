import { Anchor } from "~/components/anchor";
import { Notice } from "~/components/status/notice";
import type { PartType } from "~/domain/content/content";
import { useTranslation } from "~/i18n/translation";
import { panelHref } from "../editor/panels";
import type { Copied } from "../editor/read.server";

/** Names the event to which items were copied, and links to them. */
export function CopiedNotice({
  copied,
  type,
}: {
  readonly copied: NonNullable<Copied>;
  readonly type: PartType;
}) {
  const { t } = useTranslation();
  return (
    <Notice tone="success" title={t("content:copy.done", { name: copied.name })} live>
      <CopiedItemsLink target={copied} type={type} />
    </Notice>
  );
}

/** Link to the copied items in their event. */
export function CopiedItemsLink({
  target,
  type,
}: {
  readonly target: NonNullable<Copied>;
  readonly type: PartType;
}) {
  const { t } = useTranslation();
  return (
    <Anchor
      href={`/event/${target.id}${panelHref(type === "tag" ? "tags" : "media")}`}
      className="text-accent underline"
    >
      {t("content:copy.open", { name: target.name })}
    </Anchor>
  );
}
