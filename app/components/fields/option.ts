/** An option of a select or of a combobox. */
export interface Option {
  readonly value: string;
  readonly label: string;
  /** Text that distinguishes options with the same label, for example the path of a folder. */
  readonly detail?: string;
  /** Reason why the option is disabled. */
  readonly disabledReason?: string | null;
  readonly disabled?: boolean;
  /** Additional search terms of the option in a combobox. */
  readonly searchTerms?: string;
}

/** Text of an option in one line. */
export const optionText = ({ label, detail }: Option): string => (detail ? `${label} · ${detail}` : label);
