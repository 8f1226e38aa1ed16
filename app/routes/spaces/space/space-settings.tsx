import type { ReactNode } from "react";
import { LinkButton } from "~/components/button";
import { ImageFrame } from "~/components/card";
import { DateTime } from "~/components/date-time";
import { Fact } from "~/components/fact";
import type { SourceKind } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { dialogHref, type ListedItem } from "../../folders/item-parts";
import { frameImage } from "../frame-image";

export interface SpaceSettingsProps {
  readonly space: {
    readonly item: ListedItem;
    readonly name: string;
    readonly sid: string;
    readonly kind: SourceKind;
    readonly id: string;
    readonly image: string | null;
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
}

/** Settings of a space, with the buttons that change them, and its details. */
export function SpaceSettings({ space, timeZone }: SpaceSettingsProps) {
  const { t } = useTranslation();
  const href = `/space/${space.id}`;
  const details = [
    t(`spaces:kind.${space.kind}`),
    space.panoramas === null
      ? ""
      : t("shared-owners:labelled", {
          label: t("spaces:sources.metadata.panoramas"),
          value: space.panoramas,
        }),
    space.hasStart === null
      ? ""
      : t("shared-owners:labelled", {
          label: t("spaces:sources.metadata.start"),
          value: t(
            space.hasStart ? "spaces:sources.metadata.startChosen" : "spaces:sources.metadata.startFree",
          ),
        }),
  ];
  return (
    <div className="grid min-w-0 content-start gap-6">
      <dl className="ruled">
        <Setting
          label={t("spaces:name")}
          action={
            <LinkButton icon="edit" href={dialogHref(new URLSearchParams(), "rename", space.item, href)}>
              {t("folders:rename")}
            </LinkButton>
          }
        >
          {space.name}
        </Setting>
        <Setting
          label={t("spaces:sources.image")}
          action={
            space.mayChange && (
              <LinkButton icon="picture" href={`${href}/picture`}>
                {t("spaces:sources.changeImage")}
              </LinkButton>
            )
          }
        >
          <ImageFrame
            className="w-full max-w-60 rounded"
            image={frameImage(space.image, [320, 640], "15rem")}
          />
        </Setting>
        <Setting
          label={t("spaces:settings.source")}
          action={
            space.mayChange && (
              <LinkButton icon="cube" href={`${href}/source`}>
                {t("spaces:sources.change")}
              </LinkButton>
            )
          }
        >
          {details.filter(Boolean).map((text) => (
            <span key={text} className="block">
              {text}
            </span>
          ))}
        </Setting>
      </dl>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
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
    </div>
  );
}

interface SettingProps {
  readonly label: string;
  readonly action: ReactNode;
  readonly children: ReactNode;
}

function Setting({ label, action, children }: SettingProps) {
  return (
    <div className="grid items-center gap-x-6 gap-y-1 py-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <dt className="text-sm font-semibold">{label}</dt>
      <dd className="wrap-anywhere sm:col-start-1">{children}</dd>
      {action && <dd className="sm:col-start-2 sm:row-span-2 sm:row-start-1">{action}</dd>}
    </div>
  );
}
