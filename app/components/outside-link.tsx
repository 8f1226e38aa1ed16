import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { Icon } from "./icon";

export interface OutsideLinkProps {
  readonly href: string;
  readonly children: ReactNode;
  /** What it is about, for those who hear it out of its place. */
  readonly about?: string;
}

/** A link that opens in a tab of its own, and says so: `<OutsideLink href={url}>…</OutsideLink>`. */
export function OutsideLink({ href, children, about = "" }: OutsideLinkProps) {
  const { t } = useTranslation();
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-10 w-fit items-center gap-2 text-sm text-accent underline underline-offset-4"
    >
      <Icon name="external" size={16} />
      {children}
      <span className="sr-only">
        {" "}
        {about} ({t("shared:opensNewTab")})
      </span>
    </a>
  );
}
