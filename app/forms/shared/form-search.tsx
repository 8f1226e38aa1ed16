import { Button } from "~/components/button";
import { TextField } from "~/components/fields/text-field";
import { SEARCH_MAX } from "~/domain/shared/limits";

export interface FormSearchProps {
  readonly label: string;
  readonly buttonLabel: string;
  /** Text of the last search; empty for none. */
  readonly q: string;
}

/** Search field for the choices of a form, for pages without scripts. It submits the whole form with GET, so that the next page can keep the typed values. */
export function FormSearch({ label, buttonLabel, q }: FormSearchProps) {
  return (
    <div className="flex items-end gap-2">
      <TextField
        type="search"
        name="find"
        label={label}
        defaultValue={q}
        maxLength={SEARCH_MAX}
        autoComplete="off"
      />
      <Button type="submit" formMethod="get" formNoValidate icon="search">
        {buttonLabel}
      </Button>
    </div>
  );
}
