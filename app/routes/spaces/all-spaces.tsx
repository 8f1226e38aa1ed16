import { LinkButton } from "~/components/button";
import { Card, CardGrid } from "~/components/card";
import { Pager, type PagerProps } from "~/components/pager";
import { EmptyState } from "~/components/states";
import { useTranslation } from "~/i18n/use-translation";
import { pictureOf, SpaceMeta } from "./list-view";
import type { SpaceItem } from "./read.server";

export interface AllSpacesProps {
  readonly spaces: readonly SpaceItem[];
  /** What was searched for; empty for everything. */
  readonly q: string;
  readonly timeZone: string;
  readonly newHref: string;
  readonly pager: PagerProps;
}

/** Spaces without their folders: all of them, or what a search finds. */
export function AllSpaces({ spaces, q, timeZone, newHref, pager }: AllSpacesProps) {
  const { t } = useTranslation();
  return (
    <>
      {spaces.length === 0 ? (
        <EmptyState
          icon={q ? "search" : "cube"}
          title={q ? t("spaces.noMatchTitle", { q }) : t("spaces.emptyTitle")}
          action={!q && <LinkButton href={newHref}>{t("spaces.create")}</LinkButton>}
        >
          {q ? t("spaces.noMatchText") : t("spaces.emptyText")}
        </EmptyState>
      ) : (
        <CardGrid>
          {spaces.map((space) => (
            <li key={space.id}>
              <Card
                title={space.name}
                href={`/space/${space.id}`}
                picture={pictureOf(space)}
                meta={<SpaceMeta space={space} timeZone={timeZone} />}
              />
            </li>
          ))}
        </CardGrid>
      )}
      <Pager {...pager} />
    </>
  );
}
