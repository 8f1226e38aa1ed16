import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { Icon } from "./icon";

export interface OutsideLinkProps {
  readonly href: string;
  readonly children: ReactNode;
  /** Topic of the link, for users of screen readers, who may hear the link without its context. */
  readonly subject?: string;
}

/** A link that opens a new tab and says so: `<OutsideLink href={url}>…</OutsideLink>`. */
export function OutsideLink({ href, children, subject = "" }: OutsideLinkProps) {
  const { t } = useTranslation();
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="text-link w-fit text-sm">
      <Icon name="external" size={16} />
      {children}
      <span className="sr-only">
        {" "}
        {subject} ({t("shared:opensNewTab")})
      </span>
    </a>
  );
}
