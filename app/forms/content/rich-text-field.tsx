import { type ReactNode, useEffect, useRef, useState } from "react";
import { setNativeValue } from "~/components/fields/set-native-value";
import { TextArea, type TextAreaProps } from "~/components/fields/text-field";
import { useTranslation } from "~/i18n/translation";
import { getMarkForKey, MARK_KEYS, type TextMark, toggleMark } from "./rich-text-marks";

/** Icons of the marks. They are not part of `Icon`, because every visitor's page loads that component. */
const MARK_ICONS: Readonly<Record<TextMark, ReactNode>> = {
  bold: <path d="M7 4.75h5.5a3.5 3.5 0 0 1 0 7H7zM7 11.75h6.25a3.75 3.75 0 0 1 0 7.5H7z" strokeWidth="2" />,
  italic: <path d="M10 4.75h7M7 19.25h7M14 4.75l-4 14.5" />,
  heading: <path d="M6 4.75v14.5M18 4.75v14.5M6 12h12" />,
  list: <path d="M9.5 6.25H20M9.5 12H20M9.5 17.75H20M4.75 6.25v.01M4.75 12v.01M4.75 17.75v.01" />,
  link: (
    <path d="M9.9 14.1a3.9 3.9 0 0 0 5.5 0l3.7-3.7a3.9 3.9 0 0 0-5.5-5.5l-1.2 1.2M14.1 9.9a3.9 3.9 0 0 0-5.5 0l-3.7 3.7a3.9 3.9 0 0 0 5.5 5.5l1.2-1.2" />
  ),
};

/**
 * A text area for text with formatting marks, which can be typed or inserted by buttons. Without scripts, it is a plain text area. With a mouse, the
 * style sheet shows the buttons only while the field is used (`data-reveal`).
 */
export function RichTextField(props: TextAreaProps) {
  const { t } = useTranslation();
  const container = useRef<HTMLDivElement>(null);
  // The server cannot detect the keyboard, so the value is set in the browser.
  const [isMac, setMac] = useState(false);
  useEffect(() => setMac(/^(Mac|iP)/.test(navigator.platform)), []);
  const applyMark = (kind: TextMark) => {
    const area = container.current?.querySelector("textarea");
    if (!area) return;
    const { value, selectionStart, selectionEnd } = area;
    const marked = toggleMark(value, [selectionStart, selectionEnd], kind);
    setNativeValue(area, marked.text);
    area.focus();
    area.setSelectionRange(...marked.selection);
  };
  return (
    <div ref={container} data-reveal-group="" className="grid gap-1">
      <TextArea
        {...props}
        onKeyDown={(event) => {
          const kind = getMarkForKey(event, isMac);
          if (!kind) return;
          event.preventDefault();
          applyMark(kind);
        }}
      />
      <p className="hidden text-xs text-muted text-phrase noscript:block">{t("content:marks.hint")}</p>
      <div
        role="toolbar"
        data-reveal=""
        aria-label={t("content:marks.label", { field: props.label })}
        aria-controls={props.id}
        className="needs-script flex"
      >
        {(Object.keys(MARK_ICONS) as TextMark[]).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-label={t(`content:marks.${kind}`)}
            title={[
              t(`content:marks.${kind}`),
              MARK_KEYS[kind] && `${isMac ? "⌘" : "Ctrl"} + ${MARK_KEYS[kind]}`,
            ]
              .filter(Boolean)
              .join(" · ")}
            aria-keyshortcuts={MARK_KEYS[kind] && `${isMac ? "Meta" : "Control"}+${MARK_KEYS[kind]}`}
            onClick={() => applyMark(kind)}
            className="inline-flex size-10 items-center justify-center rounded hover:bg-ink/7"
          >
            <svg aria-hidden="true" width="20" height="20" viewBox="0 0 24 24" className="icon">
              {MARK_ICONS[kind]}
            </svg>
          </button>
        ))}
      </div>
    </div>
  );
}
