import { type ReactNode, useEffect, useRef, useState } from "react";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";

const checkboxesOf = (bar: HTMLFieldSetElement | null) => [
  ...(bar?.form?.querySelectorAll<HTMLInputElement>("input[name=item]") ?? []),
];

/** Height of the part of a row that is below its checkbox, in pixels. */
const ROW_END = 16;

/** Scrolls the row of a checkbox out from under the bar, which appears over the end of the list when the checkbox is ticked. */
function scrollClear(checkbox: HTMLInputElement, bar: HTMLFieldSetElement): void {
  checkbox.style.scrollMarginBottom = `${bar.offsetHeight + ROW_END}px`;
  checkbox.scrollIntoView({ block: "nearest" });
}

export interface SelectionBarProps {
  /** Number of items on the page. */
  readonly size: number;
  /** Buttons that submit the form. */
  readonly children: ReactNode;
}

/**
 * Actions on the selected items, inside the form of their checkboxes. A style sheet shows the bar once an item is selected, so it works without
 * scripts; scripts add the number of selected items, and a checkbox that selects all.
 */
export function SelectionBar({ size, children }: SelectionBarProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const bar = useRef<HTMLFieldSetElement>(null);
  const [count, setCount] = useState(0);
  const updateCount = () => setCount(checkboxesOf(bar.current).filter(({ checked }) => checked).length);
  const latest = useRef(updateCount);
  useEffect(() => {
    const form = bar.current?.form;
    const onChange = ({ target }: Event) => {
      latest.current();
      if (bar.current && checkboxesOf(bar.current).includes(target as HTMLInputElement))
        scrollClear(target as HTMLInputElement, bar.current);
    };
    form?.addEventListener("change", onChange);
    return () => form?.removeEventListener("change", onChange);
  }, []);
  // When the list shows other items, some selected ones may have disappeared.
  useEffect(() => latest.current());
  const selectAll = (checked: boolean) => {
    for (const checkbox of checkboxesOf(bar.current)) checkbox.checked = checked;
    setCount(checked ? size : 0);
  };
  return (
    <fieldset
      ref={bar}
      data-action-bar
      className="sticky bottom-0 z-20 mt-4 hidden flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-paper py-3 group-has-[input[name=item]:checked]/list:flex"
    >
      <legend className="sr-only">{t("folders:withChosen")}</legend>
      <p role="status" className="text-sm font-semibold tabular-nums">
        {count > 0 ? t("folders:chosen", { count }) : t("folders:withChosen")}
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
      {hydrated && size > 1 && (
        <label className="flex min-h-10 items-center gap-3 text-sm text-muted">
          <input
            type="checkbox"
            checked={count === size}
            onChange={({ currentTarget: { checked } }) => selectAll(checked)}
            className="tick rounded-sm"
          />
          {t("folders:selectAll")}
        </label>
      )}
    </fieldset>
  );
}
