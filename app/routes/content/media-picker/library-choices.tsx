import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { CursorPager } from "~/components/cursor-pager";
import { useTranslation } from "~/i18n/translation";
import { cursorPagerProps } from "../../shared/cursor-pager-props";
import { SearchForm } from "../../shared/search-form";
import type { Picker } from "./read.server";

/** Parameters of the previous search or action, which the form must not submit again. */
const DROPPED_PARAMS = ["find", "cursor", "toast"];

export interface LibraryChoicesProps {
  readonly picker: Picker;
  /** Button that uploads files, beside the search. */
  readonly upload?: ReactNode;
  /** Renders an item with its button. */
  readonly renderRow: (item: Picker["items"][number]) => ReactNode;
}

/** Items of the library that can be chosen, the newest first, with a search by a plain GET form. */
export function LibraryChoices({ picker, upload, renderRow }: LibraryChoicesProps) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const keptParams = new URLSearchParams(
    [...searchParams].filter(([name]) => !DROPPED_PARAMS.includes(name)),
  );
  return (
    <section aria-labelledby="pick-library" className="grid gap-3">
      <h3 id="pick-library" className="text-base font-semibold">
        {t("content:pick.ofLibrary")}
      </h3>
      <div className="flex flex-wrap items-center gap-2">
        <SearchForm
          name="find"
          label={t("library:search")}
          submit={t("library:searchSubmit")}
          clear={t("library:clearSearch")}
          typed={picker.q}
          clearHref={`?${keptParams}`}
          otherParams={keptParams}
          keepScroll
          className="min-w-40 flex-1"
        />
        {upload}
      </div>
      {picker.items.length === 0 ? (
        <p className="text-sm text-muted text-phrase">
          {t(picker.q === "" ? "library:emptyText" : "content:pick.empty")}
        </p>
      ) : (
        <ul id="list" tabIndex={-1} className="ruled">
          {picker.items.map((item) => (
            <li key={item.id}>{renderRow(item)}</li>
          ))}
        </ul>
      )}
      <CursorPager {...cursorPagerProps(picker.page, searchParams)} />
    </section>
  );
}
