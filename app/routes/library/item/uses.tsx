import type { ItemUses } from "#functions/services/library/item-uses-ports";
import { Anchor } from "~/components/anchor";
import { textIn } from "~/domain/shared/localized";
import { useTranslation } from "~/i18n/translation";

export interface UsesProps {
  readonly uses: Omit<ItemUses, "events"> & {
    readonly events: readonly (Omit<ItemUses["events"][number], "tags"> & {
      readonly tags: readonly { readonly id: string; readonly title: string }[];
    })[];
  };
}

const linkClasses = "inline-flex min-h-10 items-center font-semibold underline wrap-anywhere";

/**
 * Uses of a media item: events with their tags, and spaces. `unnamedCount` counts visible uses beyond the listed ones, `hiddenCount` uses that the
 * reader may not see.
 */
export function Uses({ uses }: UsesProps) {
  const { t, language } = useTranslation();
  const { events, spaces, unnamedCount, hiddenCount } = uses;
  const isUsed = events.length + spaces.length + hiddenCount > 0;
  return (
    <section aria-labelledby="uses-title" className="grid gap-4">
      <h2 id="uses-title" className="text-base font-semibold">
        {t("library:item.uses")}
      </h2>
      {!isUsed && <p className="text-sm text-muted">{t("library:item.unused")}</p>}
      {events.length > 0 && (
        <div>
          <h3 className="text-sm text-muted">{t("library:item.inEvents")}</h3>
          <ul className="divide-y divide-line">
            {events.map((event) => (
              <li key={event.id} className="py-1">
                <Anchor href={`/event/${event.id}`} className={linkClasses}>
                  {textIn(event.name, language)}
                </Anchor>
                <span className="ml-3 text-sm text-muted">
                  {t("library:item.ofSpace", { space: event.spaceName })}
                </span>
                {event.tags.length > 0 && (
                  <p className="pb-1 text-sm text-muted wrap-anywhere">
                    {t("library:item.inTags", {
                      tags: event.tags.map(({ title }) => title).join(t("shared-owners:listSeparator")),
                    })}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {spaces.length > 0 && (
        <div>
          <h3 className="text-sm text-muted">{t("library:item.inSpaces")}</h3>
          <ul className="divide-y divide-line">
            {spaces.map(({ id, name, isSource, isThumbnail }) => (
              <li key={id} className="py-1">
                <Anchor href={`/space/${id}`} className={linkClasses}>
                  {name}
                </Anchor>
                <span className="ml-3 text-sm text-muted">
                  {[
                    ...(isSource ? [t("library:item.isSource")] : []),
                    ...(isThumbnail ? [t("library:item.isThumbnail")] : []),
                  ].join(t("shared-owners:listSeparator"))}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unnamedCount > 0 && (
        <p className="text-sm text-muted">{t("library:item.more", { count: unnamedCount })}</p>
      )}
      {hiddenCount > 0 && (
        <p className="text-sm text-muted">{t("library:item.hidden", { count: hiddenCount })}</p>
      )}
    </section>
  );
}
