import { Icon, type IconName } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { SideSection } from "./side-section";

/** Sharing state of a space. */
export interface SpaceSharing {
  /** URL of its form; null if the user may not change it. */
  readonly href: string | null;
  /** Name of the group, for users who may change it; otherwise null. */
  readonly group: string | null;
  readonly shared: boolean;
}

export interface AudienceProps {
  readonly isOwn: boolean;
  readonly sharing: SpaceSharing;
}

/** Section about the users who may see a space. */
export function Audience({ isOwn, sharing }: AudienceProps) {
  const { t } = useTranslation();
  const { href, group, shared } = sharing;
  const audiences: readonly (readonly [IconName, string])[] = [
    ["user", t(isOwn ? "events:spaceEvents.you" : "events:spaceEvents.owner")],
    ...(shared
      ? [
          [
            "users",
            group ? t("events:spaceEvents.group", { name: group }) : t("events:spaceEvents.yourGroup"),
          ] as const,
        ]
      : []),
    ["lock", t("events:spaceEvents.administrators")],
    ["eye", t("events:spaceEvents.visitors")],
  ];
  return (
    <SideSection
      id="audience"
      title={t("events:spaceEvents.audience")}
      link={{ href, label: t("events:spaceEvents.change") }}
    >
      <ul className="grid gap-2">
        {audiences.map(([icon, text]) => (
          <li key={text} className="flex gap-2">
            <Icon name={icon} className="text-muted" />
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
    </SideSection>
  );
}
