import { useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Icon, type IconName } from "~/components/icon";
import type { SourceKind } from "~/domain/shared/model";
import { SOURCE_KINDS } from "~/domain/spaces/space-source.schema";
import { useTranslation } from "~/i18n/translation";

const ICONS: Readonly<Record<SourceKind, IconName>> = {
  showcase: "eye",
  model: "cube",
  panorama: "picture",
  splat: "grid",
};

/** Tabs of the source kinds (the kinds of 3D content of a space). They are links, so each has a URL. */
export function KindTabs({ kind }: { readonly kind: SourceKind }) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const href = (to: SourceKind) => {
    const params = new URLSearchParams({ kind: to });
    for (const name of ["owner", "folder"]) {
      const value = searchParams.get(name);
      if (value) params.set(name, value);
    }
    return `?${params}`;
  };
  return (
    <nav aria-label={t("spaces:sources.kinds")}>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-4">
        {SOURCE_KINDS.map((sourceKind) => (
          <li key={sourceKind}>
            <Anchor
              href={href(sourceKind)}
              aria-current={sourceKind === kind ? "page" : undefined}
              className="flex h-full gap-3 rounded border border-line p-3 text-sm text-ink no-underline hover:border-edge aria-[current]:border-accent aria-[current]:bg-accent/6 aria-[current]:inset-ring aria-[current]:inset-ring-accent"
            >
              <Icon name={ICONS[sourceKind]} className="shrink-0 text-muted" />
              <span className="min-w-0">
                <span className="block font-semibold">{t(`spaces:kind.${sourceKind}`)}</span>
                <span className="block text-xs text-muted text-phrase">
                  {t(`spaces:sources.about.${sourceKind}`)}
                </span>
              </span>
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
