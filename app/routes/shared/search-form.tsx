import { Form } from "@remix-run/react";
import { IconButton, IconLink } from "~/components/button";
import { cx } from "~/components/cx";
import { FieldError } from "~/components/fields/field";
import { Icon } from "~/components/icon";
import type { ListSearch } from "~/domain/shared/list-query.schema";
import { useMessage } from "~/forms/shared/user-message";

export interface SearchFormProps extends Partial<ListSearch> {
  /** Name of the parameter; `q` by default. */
  readonly name?: string;
  /** Text in the field. */
  readonly typed: string;
  readonly label: string;
  /** Labels of the button that searches, and of the link that ends the search. */
  readonly submit: string;
  readonly clear: string;
  /** URL of the list without a search. */
  readonly clearHref: string;
  /** Parameters of the list that a search keeps. */
  readonly otherParams?: URLSearchParams;
  readonly keepScroll?: boolean;
  readonly className?: string;
}

/** Search field of a list: a plain GET form, so that a search has a URL. */
export function SearchForm(props: SearchFormProps) {
  const {
    name = "q",
    label,
    submit,
    clear,
    typed,
    problem,
    clearHref,
    otherParams,
    keepScroll,
    className,
  } = props;
  const message = useMessage();
  return (
    <Form
      method="get"
      role="search"
      preventScrollReset={keepScroll}
      className={cx("grid gap-1.5", className)}
    >
      {[...(otherParams ?? [])].map(([field, value]) => (
        <input key={`${field} ${value}`} type="hidden" name={field} value={value} />
      ))}
      <div className="relative">
        <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-faint" />
        <input
          type="search"
          name={name}
          aria-label={label}
          defaultValue={typed}
          key={typed}
          placeholder={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${name}-error` : undefined}
          className="peer control pl-10 not-placeholder-shown:pr-20 [&::-webkit-search-cancel-button]:hidden"
        />
        {/* The buttons appear as soon as there is something to search for. */}
        <span className="absolute inset-y-0 right-0 flex items-center peer-placeholder-shown:hidden">
          {typed !== "" && <IconLink icon="close" label={clear} href={clearHref} keepScroll={keepScroll} />}
          <IconButton type="submit" icon="search" label={submit} />
        </span>
      </div>
      {problem && <FieldError id={`${name}-error`}>{message(problem)}</FieldError>}
    </Form>
  );
}
