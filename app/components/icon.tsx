import type { ReactNode } from "react";
import { cx } from "./classes";

const paths = {
  "arrow-left": <path d="M10.5 5.5 4 12l6.5 6.5M4.5 12H20" />,
  "arrow-right": <path d="M13.5 5.5 20 12l-6.5 6.5M19.5 12H4" />,
  calendar: <path d="M4.25 5.75h15.5v14H4.25zM4.25 10h15.5M8.25 3.5v4M15.75 3.5v4" />,
  cart: (
    <>
      <path d="M3.25 4.75H5.7l2.05 10.5h9.75l2.25-7.5H6.3" />
      <circle cx="9" cy="19" r="1.25" />
      <circle cx="16.25" cy="19" r="1.25" />
    </>
  ),
  chart: <path d="M4.25 4v15.75H20M8.25 16.5v-4.25M12.5 16.5v-9M16.75 16.5v-6.5" />,
  check: <path d="m5 12.5 4.5 4.5L19 7" />,
  "chevron-down": <path d="m6.5 9.5 5.5 5.5 5.5-5.5" />,
  "chevron-left": <path d="M14.5 6.5 9 12l5.5 5.5" />,
  "chevron-right": <path d="M9.5 6.5 15 12l-5.5 5.5" />,
  "chevron-up": <path d="m6.5 14.5 5.5-5.5 5.5 5.5" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <path d="M12 7v5.25l3.5 2" />
    </>
  ),
  close: <path d="m6 6 12 12M18 6 6 18" />,
  copy: <path d="M8.75 8.75h11.5v11.5H8.75zM15.25 8.5V3.75H3.75v11.5H8.5" />,
  cube: <path d="m12 3.25 7.75 4.4v8.7L12 20.75l-7.75-4.4v-8.7zM4.5 7.9 12 12.1l7.5-4.2M12 12.1v8.4" />,
  document: <path d="M5.75 3.75h8.5l4 4v12.5H5.75zM14 3.75V8h4.25M9 12.5h6M9 16h6" />,
  download: <path d="M12 4v11M7.25 10.5 12 15.25l4.75-4.75M4.5 19.75h15" />,
  edit: <path d="m4.5 19.5.9-4L15.75 5.15l3.1 3.1L8.5 18.6zM13.25 7.65l3.1 3.1" />,
  external: <path d="M13.5 4.5h6v6M19.25 4.75 11 13M10 5.5H4.75v13.75H18.5V14" />,
  eye: (
    <>
      <path d="M2.75 12c2-4.1 5.2-6.25 9.25-6.25S19.25 7.9 21.25 12c-2 4.1-5.2 6.25-9.25 6.25S4.75 16.1 2.75 12z" />
      <circle cx="12" cy="12" r="2.75" />
    </>
  ),
  "eye-off": (
    <>
      <path d="M9.2 6.1A9.7 9.7 0 0 1 12 5.75c4.05 0 7.25 2.15 9.25 6.25a14 14 0 0 1-2.5 3.6M16 17.4a9.3 9.3 0 0 1-4 .85c-4.05 0-7.25-2.15-9.25-6.25A13.4 13.4 0 0 1 7.25 7.1" />
      <path d="m4.25 4.25 15.5 15.5M10 10.1a2.75 2.75 0 0 0 3.9 3.9" />
    </>
  ),
  first: <path d="M17 6.5 11.5 12l5.5 5.5M7.25 6.5v11" />,
  folder: <path d="M3.75 5.25h6l2 2.5h8.5v11.5H3.75z" />,
  fullscreen: <path d="M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15" />,
  "fullscreen-exit": <path d="M9 4.5V9H4.5M19.5 9H15V4.5M15 19.5V15h4.5M4.5 15H9v4.5" />,
  grid: <path d="M4.25 4.25h6v6h-6zM13.75 4.25h6v6h-6zM4.25 13.75h6v6h-6zM13.75 13.75h6v6h-6z" />,
  grip: (
    <g fill="currentColor" stroke="none">
      <circle cx="9.25" cy="6.5" r="1.3" />
      <circle cx="14.75" cy="6.5" r="1.3" />
      <circle cx="9.25" cy="12" r="1.3" />
      <circle cx="14.75" cy="12" r="1.3" />
      <circle cx="9.25" cy="17.5" r="1.3" />
      <circle cx="14.75" cy="17.5" r="1.3" />
    </g>
  ),
  help: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <path d="M9.5 9.6a2.5 2.5 0 1 1 3.7 2.15c-.85.45-1.2.95-1.2 1.85M12 16.6v.01" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <path d="M12 11v5.25M12 7.75v.01" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="15.75" r="4" />
      <path d="m10.9 12.9 8.6-8.65M15 8.75l3.25 3.25" />
    </>
  ),
  last: <path d="M7 6.5 12.5 12 7 17.5M16.75 6.5v11" />,
  library: <path d="M3.75 7.75h16.5v12H3.75zM6 4.25h12M10.25 11v5.5l4.75-2.75z" />,
  link: (
    <path d="M9.9 14.1a3.9 3.9 0 0 0 5.5 0l3.7-3.7a3.9 3.9 0 0 0-5.5-5.5l-1.2 1.2M14.1 9.9a3.9 3.9 0 0 0-5.5 0l-3.7 3.7a3.9 3.9 0 0 0 5.5 5.5l1.2-1.2" />
  ),
  lock: <path d="M5.25 10.75h13.5v9.5H5.25zM8.25 10.75V8a3.75 3.75 0 0 1 7.5 0v2.75M12 14.25v2.5" />,
  logout: <path d="M13.75 4.25h-9v15.5h9M10.5 12h10M16.75 8l4 4-4 4" />,
  mail: <path d="M3.75 5.75h16.5v12.5H3.75zM4 6.25l8 6.5 8-6.5" />,
  minus: <path d="M5 12h14" />,
  more: (
    <g fill="currentColor" stroke="none">
      <circle cx="5.75" cy="12" r="1.4" />
      <circle cx="12" cy="12" r="1.4" />
      <circle cx="18.25" cy="12" r="1.4" />
    </g>
  ),
  person: (
    <>
      <circle cx="12" cy="7.75" r="3.75" />
      <path d="M4.75 20.25c.7-4 3.6-6.25 7.25-6.25s6.55 2.25 7.25 6.25" />
    </>
  ),
  "move-into": <path d="M3.75 5.25h6l2 2.5h8.5v11.5H3.75zM8.5 13.5h6.25M12 10.75l2.75 2.75L12 16.25" />,
  picture: (
    <>
      <path d="M3.75 4.75h16.5v14.5H3.75zM4 17.25l5.25-5 3.5 3.25 3-2.75L20 16.5" />
      <circle cx="14.5" cy="9" r="1.5" />
    </>
  ),
  place: (
    <>
      <path d="M12 20.75c4.35-4.25 6.5-7.6 6.5-10.75a6.5 6.5 0 0 0-13 0c0 3.15 2.15 6.5 6.5 10.75z" />
      <circle cx="12" cy="10" r="2.25" />
    </>
  ),
  plan: <path d="M3.75 3.75h16.5v16.5H3.75zM10.5 3.75v5M10.5 12.25v8M10.5 13.75h3.75M17.5 13.75h2.75" />,
  pause: <path d="M8.5 5v14M15.5 5v14" />,
  play: <path d="M7.75 4.75v14.5L19 12z" />,
  plus: <path d="M12 5v14M5 12h14" />,
  retry: <path d="M19.25 12a7.25 7.25 0 1 1-2.1-5.1l2.1 2.1M19.25 4.25V9H14.5" />,
  rows: <path d="M4 6.25h16M4 12h16M4 17.75h16" />,
  search: (
    <>
      <circle cx="10.75" cy="10.75" r="6.5" />
      <path d="m15.5 15.5 5 5" />
    </>
  ),
  settings: (
    <>
      <path d="M3.5 7.5h9M17.5 7.5h3M3.5 16.5h3M11.5 16.5h9" />
      <circle cx="15" cy="7.5" r="2.5" />
      <circle cx="9" cy="16.5" r="2.5" />
    </>
  ),
  share: <path d="M12 14.5V4M8.25 7.5 12 3.75l3.75 3.75M7.5 10.75H5.25v9.5h13.5v-9.5H16.5" />,
  sort: <path d="M7.5 5v14M4 15.5 7.5 19l3.5-3.5M16.5 19V5M13 8.5 16.5 5 20 8.5" />,
  sound: (
    <path d="M4.25 9.5v5h3.5l4.5 4v-13l-4.5 4zM15.5 9.25a4 4 0 0 1 0 5.5M18 6.75a7.5 7.5 0 0 1 0 10.5" />
  ),
  star: <path d="m12 3.75 2.55 5.2 5.7.8-4.15 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.15-4 5.7-.8z" />,
  trash: <path d="M4.25 6.75h15.5M9 6.75v-2.5h6v2.5M6.25 6.75l.75 13h10l.75-13M10 10.5v5.5M14 10.5v5.5" />,
  undo: <path d="M8.25 4.75 4 9l4.25 4.25M4.5 9h9.25a5.25 5.25 0 0 1 0 10.5H8.5" />,
  upload: <path d="M12 15.5v-11M7.25 9 12 4.25 16.75 9M4.5 19.75h15" />,
  user: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <circle cx="12" cy="10" r="2.9" />
      <path d="M6.2 18.5c1-2.5 3.15-3.8 5.8-3.8s4.8 1.3 5.8 3.8" />
    </>
  ),
  users: (
    <>
      <circle cx="9" cy="8.25" r="3.25" />
      <path d="M2.75 19.25c.6-3.4 3.05-5.25 6.25-5.25s5.65 1.85 6.25 5.25M15.5 5.25a3.25 3.25 0 0 1 0 6M17.5 14.4c2 .7 3.35 2.35 3.75 4.85" />
    </>
  ),
  video: <path d="M3.75 5.75h16.5v12.5H3.75zM10 9v6l5-3z" />,
  walk: (
    <>
      <circle cx="13" cy="4.5" r="1.6" />
      <path d="m9 20.5 2.25-5.25M17 20.5l-2.25-4.75-3-2.75.75-5-4 2-.75 3.25M12.5 8l1.75 2.75 3.25 1M11.75 13l-.5 2.25" />
    </>
  ),
  warning: <path d="M12 4 21 19.5H3zM12 10v4.5M12 16.9v.01" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof paths;

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

/** Returns whether a stored icon name is known. An imported event may have other names. */
export function isIconName(name: string): name is IconName {
  return Object.hasOwn(paths, name);
}

export interface IconProps {
  readonly name: IconName;
  /** Size in CSS pixels, 20 by default. */
  readonly size?: 16 | 20 | 24 | 32 | 40;
  readonly className?: string;
}

/** A line icon beside text: `<Icon name="copy" />`. It is hidden from screen readers, so it always needs text. */
export function Icon({ name, size = 20, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className={cx("icon", size > 24 && "icon-large", className)}
    >
      {paths[name]}
    </svg>
  );
}
