import { Form } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { Button, LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import type { MediaKind, Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { HiddenMark } from "../../library/list/hidden-notice";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";
import type { HiddenFile } from "../editor/editor-context";

/** Form of the picker: the chosen item is added to the event, and to a tag if there is one. */
export function PickForm({
  tagId,
  onSubmit,
  children,
}: {
  readonly tagId: Uuid | null;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}) {
  return (
    <Form method="post" onSubmit={onSubmit} preventScrollReset className="flex items-center gap-3 py-1">
      <input type="hidden" name="intent" value="pick" />
      {tagId && <input type="hidden" name="tagId" value={tagId} />}
      {children}
    </Form>
  );
}

interface PickableItem {
  readonly kind: MediaKind;
  readonly title: string;
  readonly image: string | null;
  /** The reason why visitors will not see it; null for files that they see. */
  readonly hidden: HiddenFile | null;
}

/** Image, title and kind of a media item that can be chosen. */
function PickSummary({ kind, title, image, hidden }: PickableItem) {
  const { t } = useTranslation();
  return (
    <>
      {image ? (
        <img
          src={image}
          alt=""
          loading="lazy"
          width={64}
          height={36}
          className="h-9 w-16 shrink-0 rounded-sm object-cover"
        />
      ) : (
        <span className="flex h-9 w-16 shrink-0 items-center justify-center rounded-sm bg-surface text-muted">
          <Icon name={MEDIA_ICONS[kind]} />
        </span>
      )}
      <span className="grid min-w-0 flex-1 text-sm">
        <span className="wrap-anywhere">{title}</span>
        <span className="text-xs text-muted">{t(`library:kindName.${kind}`)}</span>
        {hidden && (
          <span className="text-xs text-phrase">
            <HiddenMark {...hidden} />
          </span>
        )}
      </span>
    </>
  );
}

/** Media item that can be chosen, with its button. */
export function PickRow({
  isAdded = false,
  ...item
}: PickableItem & {
  /** The item was chosen before. */
  readonly isAdded?: boolean;
}) {
  const { t } = useTranslation();
  const { title } = item;
  return (
    <>
      <PickSummary {...item} />
      {/* The button stays mounted, so that it keeps the focus after its action. */}
      <Button
        type={isAdded ? "button" : "submit"}
        variant={isAdded ? "quiet" : "secondary"}
        icon={isAdded ? "check" : "plus"}
        aria-disabled={isAdded || undefined}
        aria-label={t(isAdded ? "content:pick.inThis" : "content:pick.addThis", { title })}
        className={isAdded ? "font-normal text-success hover:bg-transparent" : undefined}
      >
        {t(isAdded ? "content:pick.in" : "content:pick.add")}
      </Button>
    </>
  );
}

/** Media item that the event already has. The row opens a confirmation, because a second copy is rarely wanted. */
export function ExistingMediaRow({
  openHref,
  children,
  ...item
}: PickableItem & {
  /** URL of the event's media item. */
  readonly openHref: string;
  /** Form that adds it again. */
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <details>
      <summary className="flex cursor-pointer list-none items-center gap-3 py-1 [&::-webkit-details-marker]:hidden">
        <PickSummary {...item} />
        <span className="inline-flex min-h-10 items-center gap-2 pr-3 text-sm text-success">
          <Icon name="check" size={16} />
          {t("content:pick.inEvent")}
        </span>
      </summary>
      <div className="grid gap-1 pb-3 pl-19 text-sm">
        <p className="text-phrase">{t("content:pick.askAgain")}</p>
        <div className="flex flex-wrap items-center gap-2">
          <LinkButton href={openHref} keepScroll>
            {t("content:pick.openThis")}
          </LinkButton>
          {children}
        </div>
      </div>
    </details>
  );
}
