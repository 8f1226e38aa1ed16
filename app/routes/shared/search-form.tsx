import { Form } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { SEARCH_MAX } from "~/domain/limits";

export interface SearchFormProps {
  readonly label: string;
  readonly submit: string;
  readonly clear: string;
  readonly q: string;
  /** The list without a search. */
  readonly clearHref: string;
}

/** Searches a list: a plain GET form, so that a search has an address. */
export function SearchForm({ label, submit, clear, q, clearHref }: SearchFormProps) {
  return (
    <Form method="get" role="search" className="flex flex-wrap items-center gap-2">
      <label className="relative min-w-0 flex-1 basis-56 sm:max-w-80">
        <span className="sr-only">{label}</span>
        <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-faint" />
        <input
          type="search"
          name="q"
          defaultValue={q}
          key={q}
          placeholder={label}
          maxLength={SEARCH_MAX}
          className="control pl-10"
        />
      </label>
      <Button type="submit">{submit}</Button>
      {q !== "" && (
        <LinkButton href={clearHref} variant="quiet">
          {clear}
        </LinkButton>
      )}
    </Form>
  );
}
