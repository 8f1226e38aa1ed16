import type { Config } from "tailwindcss";
import plugin from "tailwindcss/plugin";

/**
 * Colours of the light scheme, by the name of their token: one family of greys, one ink, one accent (藍), and status colours, which always come with a
 * word and a shape. app/components/tokens.test.ts checks the contrasts.
 */
export const light = {
  ink: "#1a1c22",
  /** Secondary text. */
  muted: "#555a66",
  /** Tertiary text, which is still readable: hints and placeholders. */
  faint: "#686d78",
  /** Separator lines. */
  line: "#e6e4e1",
  /** Borders of controls, with a contrast of at least 3 : 1. */
  edge: "#868b95",
  /** Background of the page. */
  paper: "#ffffff",
  /** Background of areas beside and below the page (top bar, wells), and of hovered items. */
  surface: "#f6f5f3",
  /** Background of elements above the page, such as menus and dialogs. */
  raised: "#ffffff",
  accent: "#2a4a94",
  "accent-strong": "#1e3874",
  "accent-ink": "#ffffff",
  danger: "#b02a1f",
  "danger-strong": "#8c1f16",
  "danger-ink": "#ffffff",
  warning: "#855300",
  success: "#17683f",
  "status-unpublished": "#555a66",
  "status-preview": "#855300",
  "status-published": "#17683f",
  "status-archived": "#6b4a72",
} as const;

export const dark = {
  ink: "#eceef2",
  muted: "#b1b6c1",
  faint: "#989eab",
  line: "#2c3038",
  edge: "#737a88",
  paper: "#14161a",
  surface: "#1c1f25",
  raised: "#20242b",
  accent: "#a3b8f4",
  "accent-strong": "#c1cffa",
  "accent-ink": "#10182e",
  danger: "#ff9a8d",
  "danger-strong": "#ffb9b0",
  "danger-ink": "#2b0703",
  warning: "#ecb765",
  success: "#7fd0a1",
  "status-unpublished": "#b1b6c1",
  "status-preview": "#ecb765",
  "status-published": "#7fd0a1",
  "status-archived": "#d3aedb",
} as const satisfies Record<keyof typeof light, string>;

/**
 * Changed tokens for readers who prefer more contrast. `glass` becomes an opaque background of controls over a space.
 */
export const moreContrast = (palette: Readonly<Record<keyof typeof light, string>>) => ({
  muted: palette.ink,
  faint: palette.muted,
  line: palette.edge,
  edge: palette.ink,
  glass: "#111318",
});

/** Controls over a 3D space are always dark, because the space is an image that does not follow the colour scheme. */
const chrome = {
  glass: "var(--glass, rgb(17 19 24 / 0.78))",
  "glass-ink": "#f5f6f8",
  "glass-muted": "#c3c8d2",
  scrim: "rgb(10 12 16 / 0.44)",
} as const;

const variables = (palette: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(palette).map(([name, value]) => [`--${name}`, value]));

export default {
  theme: {
    colors: {
      transparent: "transparent",
      current: "currentColor",
      ...Object.fromEntries(Object.keys(light).map((name) => [name, `var(--${name})`])),
      ...chrome,
    },
    fontFamily: {
      sans: [
        '"Hiragino Sans"',
        '"Noto Sans JP"',
        '"Yu Gothic UI"',
        '"Noto Sans CJK JP"',
        "system-ui",
        "sans-serif",
      ],
      mono: ["ui-monospace", '"SF Mono"', "Menlo", "Consolas", '"DejaVu Sans Mono"', "monospace"],
    },
    /** 12, 14, 16, 20, 28 and 40 px. app/styles.css sets the line height by language. */
    fontSize: {
      xs: "0.75rem",
      sm: "0.875rem",
      base: "1rem",
      lg: "1.25rem",
      xl: "1.75rem",
      "2xl": "2.5rem",
    },
    fontWeight: { normal: "400", semibold: "600" },
    borderRadius: { none: "0", sm: "2px", DEFAULT: "4px", lg: "8px", full: "9999px" },
    boxShadow: {
      none: "none",
      /** The only shadow, for elements above the page, such as menus and messages. */
      raised: "0 0 0 1px var(--line), 0 8px 28px -6px rgb(10 12 16 / 0.22)",
    },
    transitionDuration: { DEFAULT: "120ms", slow: "180ms" },
    extend: {
      spacing: { bar: "3.5rem" },
      maxWidth: { content: "80rem", form: "40rem" },
      lineHeight: { title: "1.35", text: "var(--line-text)" },
      aspectRatio: { picture: "16 / 9" },
    },
  },
  plugins: [
    plugin(({ addBase }) => {
      addBase({
        ":root": { "color-scheme": "light dark", ...variables(light) },
        "@media (prefers-color-scheme: dark)": { ":root": variables(dark) },
        "@media (prefers-contrast: more)": { ":root": variables(moreContrast(light)) },
        "@media (prefers-contrast: more) and (prefers-color-scheme: dark)": {
          ":root": variables(moreContrast(dark)),
        },
      });
    }),
  ],
} satisfies Config;
