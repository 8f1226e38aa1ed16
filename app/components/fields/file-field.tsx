import { controlProps, Field, fieldIds } from "./field";

export interface FileFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly error: string | null | undefined;
  /** File extensions and media types that the user can choose. */
  readonly accept: string;
}

/** A required field for one file: `<FileField name="file" label=… hint=… error={…} accept=".csv,text/csv" />`. */
export function FileField({ name, label, hint, error, accept }: FileFieldProps) {
  const ids = fieldIds(name, { hint, error });
  return (
    <Field label={label} hint={hint} error={error} required ids={ids}>
      <input
        type="file"
        name={name}
        accept={accept}
        required
        {...controlProps(ids, error)}
        className="control h-auto py-2"
      />
    </Field>
  );
}
