import { Form } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { Button } from "~/components/button";
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

/** Media item that can be chosen, with its button. */
export function PickRow({
  kind,
  title,
  picture,
  hidden,
  isIn = false,
}: {
  readonly kind: MediaKind;
  readonly title: string;
  readonly picture: string | null;
  /** The reason why visitors will not see it; null for files that they see. */
  readonly hidden: HiddenFile | null;
  /** The item was chosen before. */
  readonly isIn?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <>
      {picture ? (
        <img
          src={picture}
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
        <span className="[overflow-wrap:anywhere]">{title}</span>
        <span className="text-xs text-muted">{t(`library:kindName.${kind}`)}</span>
        {hidden && (
          <span className="text-xs text-phrase">
            <HiddenMark {...hidden} />
          </span>
        )}
      </span>
      {/* The button stays mounted, so that it keeps the focus after its action. */}
      <Button
        type={isIn ? "button" : "submit"}
        variant={isIn ? "quiet" : "secondary"}
        icon={isIn ? "check" : "plus"}
        aria-disabled={isIn || undefined}
        aria-label={t(isIn ? "content:pick.inThis" : "content:pick.addThis", { title })}
        className={isIn ? "font-normal text-success hover:bg-transparent" : undefined}
      >
        {t(isIn ? "content:pick.in" : "content:pick.add")}
      </Button>
    </>
  );
}
