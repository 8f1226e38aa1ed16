import { Form } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { SelectField } from "~/components/fields/select-field";
import { TextField } from "~/components/fields/text-field";
import type { ListSearch } from "~/domain/shared/page.schema";
import { ROLES, USER_SHOWS, type UserListQuery } from "~/domain/users/user-list.schema";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";

export interface ListFiltersProps {
  readonly query: Pick<UserListQuery, "show" | "role">;
  readonly search: ListSearch;
  /** Sort order that the form keeps; null for the default. */
  readonly sort: string | null;
  readonly filtered: boolean;
}

/** Search and filters of the user list: a plain GET form, so every filtered list has its own address. */
export function ListFilters({ query, search, sort, filtered }: ListFiltersProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const showWords = (show: (typeof USER_SHOWS)[number]) => {
    if (show === "all") return t("users:list.showAll");
    if (show === "asked") return t("users:list.asked");
    return show === "trash" ? t("users:list.trash") : t(`users:people.status.${show}`);
  };
  return (
    <Form
      method="get"
      role="search"
      key={`${search.typed} ${query.show} ${query.role}`}
      className="grid items-end gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_14rem_11rem_auto]"
    >
      <TextField
        type="search"
        name="q"
        label={t("users:people.search")}
        defaultValue={search.typed}
        error={search.problem && message(search.problem)}
      />
      <SelectField
        name="show"
        label={t("users:list.show")}
        defaultValue={query.show}
        options={USER_SHOWS.map((show) => ({ value: show === "all" ? "" : show, label: showWords(show) }))}
      />
      <SelectField
        name="role"
        label={t("users:list.role")}
        defaultValue={query.role ?? ""}
        options={[
          { value: "", label: t("users:list.allRoles") },
          ...ROLES.map((role) => ({ value: role, label: t(`users:people.role.${role}`) })),
        ]}
      />
      <div className="flex gap-2">
        {sort && <input type="hidden" name="sort" value={sort} />}
        <Button type="submit" icon="search">
          {t("users:list.apply")}
        </Button>
        {filtered && (
          <LinkButton href="/user-list" variant="quiet">
            {t("users:list.clear")}
          </LinkButton>
        )}
      </div>
    </Form>
  );
}
