import { useEffect, useRef, useState } from "react";
import { Dialog } from "~/components/dialog";
import { useTranslation } from "~/i18n/translation";

/** Event by which a menu opens the sheet. */
export const OPEN_SHORTCUTS = "hiroba:shortcuts";

const STORAGE_KEY = "single-key-shortcuts";

const readIsOff = () => {
  try {
    return localStorage.getItem(STORAGE_KEY) === "off";
  } catch {
    return false;
  }
};

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;

const SHORTCUTS = ["open", "move", "select", "selectAll", "delete", "clear", "save", "sheet"] as const;

/** The sheet of keyboard shortcuts, which "?" opens. Users can switch off this key (WCAG 2.1.4). */
export function ShortcutSheet() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isOff, setOff] = useState(false);
  const isOffRef = useRef(isOff);
  useEffect(() => {
    isOffRef.current = isOff;
  }, [isOff]);
  useEffect(() => {
    setOff(readIsOff());
    const open = () => setOpen(true);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "?" || event.defaultPrevented || isTyping(event.target) || isOffRef.current) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener(OPEN_SHORTCUTS, open);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener(OPEN_SHORTCUTS, open);
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title={t("shared-owners:shortcuts.title")} size="small" onClose={() => setOpen(false)}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-3 text-sm">
        {SHORTCUTS.map((row) => (
          <div key={row} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-surface px-2 py-1 font-mono text-xs whitespace-nowrap">
                {t(`shared-owners:shortcuts.keys.${row}`)}
              </kbd>
            </dt>
            <dd>{t(`shared-owners:shortcuts.does.${row}`)}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-6 flex min-h-10 items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={!isOff}
          onChange={({ currentTarget: { checked } }) => {
            setOff(!checked);
            try {
              localStorage.setItem(STORAGE_KEY, checked ? "on" : "off");
            } catch {
              // Without storage the setting lasts until the page is reloaded.
            }
          }}
          className="tick rounded-sm"
        />
        {t("shared-owners:shortcuts.singleKeys")}
      </label>
    </Dialog>
  );
}
