import { cx } from "../cx";
import { Icon } from "../icon";
import { FieldGroup, type FieldProps, fieldIds } from "./field";
import { ScriptedCombobox } from "./select-field";

export interface TreeChoiceOption {
  readonly value: string;
  readonly label: string;
  /** Depth in the tree; 0 at the root. */
  readonly depth: number;
  /** Reason why the option is disabled. */
  readonly disabledReason?: string | null;
}

export interface TreeChoiceProps extends FieldProps {
  readonly name: string;
  readonly id?: string;
  /** Options in the order of the tree. */
  readonly options: readonly TreeChoiceOption[];
  /** Text of the combobox while no folder is selected. */
  readonly placeholder: string;
}

/** Maximum depth that is indented, so that names fit in a narrow window. */
const INDENT_DEPTH_MAX = 6;

/** Returns the options of a combobox. The detail of each option is the path of the parent folder. */
function toOptions(options: readonly TreeChoiceOption[]) {
  const path: string[] = [];
  return options.map(({ value, label, depth, disabledReason }) => {
    path.length = depth;
    const detail = path.join(" / ");
    path.push(label);
    return { value, label, detail, disabledReason, disabled: Boolean(disabledReason) };
  });
}

/**
 * A field for choosing a folder of a tree: `<TreeChoice name="folderId" label=… options={[{ value, label, depth }]} placeholder=… />`. Scripts show a
 * combobox, which finds folders by any part of their path. Without scripts, the tree consists of radio buttons.
 */
export function TreeChoice({ options, placeholder, ...field }: TreeChoiceProps) {
  return (
    <ScriptedCombobox {...field} placeholder={placeholder} options={toOptions(options)}>
      <TreeRadios options={options} placeholder={placeholder} {...field} />
    </ScriptedCombobox>
  );
}

function TreeRadios({ name, id = name, label, hint, error, required, options }: TreeChoiceProps) {
  const ids = fieldIds(id, { hint, error });
  return (
    // The radio buttons themselves are marked as required.
    <FieldGroup label={label} hint={hint} error={error} ids={ids}>
      <ul>
        {options.map(({ value, label: text, depth, disabledReason }) => (
          <li key={value} style={{ paddingInlineStart: `${Math.min(depth, INDENT_DEPTH_MAX) * 1.5}rem` }}>
            <label
              className={cx(
                "flex min-h-10 items-center gap-3 rounded px-2 text-sm",
                disabledReason ? "cursor-not-allowed text-muted" : "cursor-pointer hover:bg-ink/7",
                "has-checked:bg-accent/6",
              )}
            >
              <input
                type="radio"
                name={name}
                value={value}
                required={required}
                disabled={Boolean(disabledReason)}
                className="tick shrink-0 rounded-full"
              />
              <Icon name="folder" className="text-muted" />
              <span className="min-w-0 py-1">{text}</span>
              {disabledReason && (
                <span className="ml-auto shrink-0 text-xs text-muted">{disabledReason}</span>
              )}
            </label>
          </li>
        ))}
      </ul>
    </FieldGroup>
  );
}
