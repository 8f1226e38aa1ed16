import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import { useTranslation } from "~/i18n/use-translation";

/** Everything that the store has changed of a cart by itself, one line each. */
export function Adjustments({
  notes,
  children,
}: {
  readonly notes: readonly string[];
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  if (notes.length === 0) return null;
  return (
    <Notice tone="warning" live title={t("shop.changed")}>
      <ul>
        {notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may be said of two lines
          <li key={index} className="[overflow-wrap:anywhere]">
            {note}
          </li>
        ))}
      </ul>
      {children}
    </Notice>
  );
}
