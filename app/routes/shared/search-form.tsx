import { Form } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { FieldError } from "~/components/fields/field";
import { Icon } from "~/components/icon";
import type { ListSearch } from "~/domain/shared/page.schema";
import { useMessage } from "~/forms/shared/user-message";

export interface SearchFormProps extends ListSearch {
  readonly label: string;
  readonly submit: string;
  readonly clear: string;
  /** Address of the list without a search. */
  readonly clearHref: string;
  /** Parameters of the list that a search keeps. */
  readonly kept?: URLSearchParams;
}

/** Search field of a list: a plain GET form, so that a search has an address. */
export function SearchForm({ label, submit, clear, typed, problem, clearHref, kept }: SearchFormProps) {
  const message = useMessage();
  return (
    <Form method="get" role="search" className="grid gap-1.5">
      {[...(kept ?? [])].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <label className="relative min-w-0 flex-1 basis-56 sm:max-w-80">
          <span className="sr-only">{label}</span>
          <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-faint" />
          <input
            type="search"
            name="q"
            defaultValue={typed}
            key={typed}
            placeholder={label}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? "q-error" : undefined}
            className="control pl-10"
          />
        </label>
        <Button type="submit">{submit}</Button>
        {typed !== "" && (
          <LinkButton href={clearHref} variant="quiet">
            {clear}
          </LinkButton>
        )}
      </div>
      {problem && <FieldError id="q-error">{message(problem)}</FieldError>}
    </Form>
  );
}
