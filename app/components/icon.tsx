import type { CSSProperties } from "react";
import { cx } from "./cx";
import sprite from "./icons.svg?url";

/** Names of the symbols of icons.svg. */
export const ICON_NAMES = [
  "arrow-left",
  "arrow-right",
  "calendar",
  "cart",
  "chart",
  "check",
  "chevron-down",
  "chevron-left",
  "chevron-right",
  "chevron-up",
  "clock",
  "close",
  "copy",
  "cube",
  "document",
  "download",
  "edit",
  "external",
  "eye",
  "eye-off",
  "first",
  "folder",
  "fullscreen",
  "fullscreen-exit",
  "grid",
  "grip",
  "help",
  "info",
  "key",
  "last",
  "library",
  "link",
  "lock",
  "logout",
  "mail",
  "minus",
  "more",
  "person",
  "move-into",
  "picture",
  "place",
  "plan",
  "pause",
  "play",
  "plus",
  "retry",
  "rows",
  "search",
  "settings",
  "share",
  "sort",
  "sound",
  "star",
  "trash",
  "undo",
  "upload",
  "user",
  "users",
  "video",
  "walk",
  "warning",
] as const;

export type IconName = (typeof ICON_NAMES)[number];

/** The icons that a tag can have, in the order of the picker. */
export const TAG_ICONS = [
  "info",
  "picture",
  "sound",
  "document",
  "video",
  "link",
  "star",
  "cart",
  "person",
  "place",
] as const satisfies readonly IconName[];

/** Whether an icon name exists. An imported event may contain other names. */
export function isIconName(name: string): name is IconName {
  return (ICON_NAMES as readonly string[]).includes(name);
}

export interface IconProps {
  readonly name: IconName;
  /** Size in CSS pixels, 20 by default. */
  readonly size?: 16 | 20 | 24 | 32 | 40;
  readonly className?: string;
  readonly style?: CSSProperties;
}

/** A line icon: `<Icon name="copy" />`. It is hidden from screen readers, so its meaning must also be in a text or a label. */
export function Icon({ name, size = 20, className, style }: IconProps) {
  return (
    <svg aria-hidden="true" className={cx("icon", size !== 20 && `icon-${size}`, className)} style={style}>
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
