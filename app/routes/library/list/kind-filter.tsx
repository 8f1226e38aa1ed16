import { Anchor } from "~/components/anchor";
import { cx } from "~/components/classes";
import { Icon } from "~/components/icon";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import type { MediaKind } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";

export interface KindFilterProps {
  /** Displayed kinds; empty for all. */
  readonly kinds: readonly MediaKind[];
  /** Query of the list. */
  readonly list: URLSearchParams;
}

const look =
  "inline-flex min-h-10 items-center gap-2 rounded-full border px-4 text-sm whitespace-nowrap no-underline transition-colors";

/** Filter for the kinds of media: links that add or remove a kind, so that each filter has an address. */
export function KindFilter({ kinds, list }: KindFilterProps) {
  const { t } = useTranslation();
  const href = (chosen: readonly MediaKind[]) => {
    const params = new URLSearchParams(list);
    for (const name of ["kind", "cursor"]) params.delete(name);
    for (const kind of MEDIA_KINDS) if (chosen.includes(kind)) params.append("kind", kind);
    return `?${params}`;
  };
  const entry = (isOn: boolean) =>
    cx(
      look,
      isOn
        ? "border-accent bg-accent/12 font-semibold text-accent"
        : "border-line text-ink hover:border-edge",
    );
  return (
    <nav aria-label={t("library:kinds")}>
      {/* On phones the filter is one horizontally scrolling line, so that the list stays visible. */}
      <ul className="flex flex-wrap gap-2 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1">
        <li>
          <Anchor
            href={href([])}
            keepScroll
            aria-current={kinds.length === 0 ? "true" : undefined}
            className={entry(kinds.length === 0)}
          >
            {t("library:allKinds")}
          </Anchor>
        </li>
        {MEDIA_KINDS.map((kind) => {
          const isOn = kinds.includes(kind);
          return (
            <li key={kind}>
              <Anchor
                href={href(isOn ? kinds.filter((each) => each !== kind) : [...kinds, kind])}
                keepScroll
                aria-current={isOn ? "true" : undefined}
                className={entry(isOn)}
              >
                <Icon name={MEDIA_ICONS[kind]} size={16} />
                {t(`library:kindName.${kind}`)}
              </Anchor>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
