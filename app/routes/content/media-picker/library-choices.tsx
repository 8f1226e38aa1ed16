import { Form, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { IconButton } from "~/components/button";
import { CursorPager } from "~/components/cursor-pager";
import { useTranslation } from "~/i18n/translation";
import { cursorPagerProps } from "../../shared/cursor-paging";
import type { Picker } from "../editor/read.server";

/** Parameters that belong to the previous search, or that must not be repeated. */
const OF_BEFORE = ["find", "cursor", "toast"];

export interface LibraryChoicesProps {
  readonly picker: Picker;
  /** Button that uploads files, beside the search. */
  readonly upload?: ReactNode;
  /** Renders an item with its button. */
  readonly row: (item: Picker["items"][number]) => ReactNode;
}

/** Items of the library that can be chosen, the newest first, with a search by a plain GET form. */
export function LibraryChoices({ picker, upload, row }: LibraryChoicesProps) {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  return (
    <section aria-labelledby="pick-library" className="grid gap-3">
      <h3 id="pick-library" className="text-base font-semibold">
        {t("content:pick.ofLibrary")}
      </h3>
      <div className="flex flex-wrap items-center gap-2">
        <Form method="get" role="search" preventScrollReset className="relative min-w-40 flex-1">
          {[...search]
            .filter(([name]) => !OF_BEFORE.includes(name))
            .map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
          <input
            type="search"
            name="find"
            defaultValue={picker.q}
            aria-label={t("library:search")}
            placeholder={t("library:search")}
            className="control w-full pr-11"
          />
          <IconButton
            type="submit"
            icon="search"
            label={t("library:searchSubmit")}
            className="absolute top-0 right-0"
          />
        </Form>
        {upload}
      </div>
      {picker.items.length === 0 ? (
        <p className="text-sm text-muted text-phrase">
          {t(picker.q === "" ? "library:emptyText" : "content:pick.empty")}
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {picker.items.map((item) => (
            <li key={item.id}>{row(item)}</li>
          ))}
        </ul>
      )}
      <CursorPager {...cursorPagerProps(picker.page, search)} />
    </section>
  );
}
