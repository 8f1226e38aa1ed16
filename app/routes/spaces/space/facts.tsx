import type { ReactNode } from "react";
import { LinkButton } from "~/components/button";
import { PictureFrame } from "~/components/card";
import { DateTime } from "~/components/date-time";
import { Fact } from "~/components/fact";
import { atWidth, pictureSet } from "~/domain/library/media-address";

import type { SourceKind } from "~/domain/shared/model";

import { useTranslation } from "~/i18n/translation";

export interface SpaceFactsProps {
  readonly space: {
    readonly sid: string;
    readonly kind: SourceKind;
    readonly id: string;
    readonly picture: string | null;
    /** Number of panoramas; null for other sources. */
    readonly panoramas: number | null;
    /** Whether the owner has set the start; null for sources that define their own. */
    readonly hasStart: boolean | null;
    readonly mayChange: boolean;
    readonly eventCount: number;
    readonly createdAt: string;
    readonly updatedAt: string;
  };
  readonly timeZone: string;
  /** Actions, sharing and activity. */
  readonly children?: ReactNode;
}

/** Details of a space beside its events. */
export function SpaceFacts({ space, timeZone, children }: SpaceFactsProps) {
  const { t } = useTranslation();
  return (
    <aside className="grid content-start gap-6">
      <div className="grid gap-2">
        <PictureFrame
          picture={
            space.picture
              ? {
                  src: atWidth(space.picture, 640),
                  srcSet: pictureSet(space.picture, [320, 640, 1280]),
                  sizes: "(min-width: 64rem) 20rem, 100vw",
                  width: 1600,
                  height: 900,
                }
              : null
          }
        />
        {space.mayChange && (
          <div className="flex flex-wrap gap-2">
            <LinkButton icon="picture" href={`/space/${space.id}/picture`}>
              {t("spaces:sources.changePicture")}
            </LinkButton>
            <LinkButton icon="cube" href={`/space/${space.id}/source`}>
              {t("spaces:sources.change")}
            </LinkButton>
          </div>
        )}
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <Fact label={t("spaces:detail.source")}>{t(`spaces:kind.${space.kind}`)}</Fact>
        {space.panoramas !== null && (
          <Fact label={t("spaces:sources.facts.panoramas")}>{space.panoramas}</Fact>
        )}
        {space.hasStart !== null && (
          <Fact label={t("spaces:sources.facts.start")}>
            {t(space.hasStart ? "spaces:sources.facts.startChosen" : "spaces:sources.facts.startFree")}
          </Fact>
        )}
        <Fact label={t("spaces:detail.sid")}>
          <span className="font-mono">{space.sid}</span>
        </Fact>
        <Fact label={t("spaces:detail.eventCount")}>{space.eventCount}</Fact>
        <Fact label={t("spaces:detail.createdAt")}>
          <DateTime instant={space.createdAt} timeZone={timeZone} />
        </Fact>
        <Fact label={t("spaces:detail.updatedAt")}>
          <DateTime instant={space.updatedAt} timeZone={timeZone} />
        </Fact>
      </dl>
      <LinkButton icon="chart" href={`/space/${space.id}/report`} className="w-fit">
        {t("shared-owners:reportTitle")}
      </LinkButton>
      {children}
    </aside>
  );
}
