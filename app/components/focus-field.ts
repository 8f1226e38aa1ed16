const FIRST_USE_EVENTS = ["keydown", "pointerdown", "input"] as const;

/**
 * Focuses a field on behalf of the user. Until the user presses a key or a button, the field is marked as unused, so that scripts may still replace
 * it.
 */
export function focusField(field: HTMLElement, options?: FocusOptions): void {
  field.focus(options);
  field.dataset.unused = "";
  const use = () => {
    delete field.dataset.unused;
    for (const name of FIRST_USE_EVENTS) field.removeEventListener(name, use);
  };
  for (const name of FIRST_USE_EVENTS) field.addEventListener(name, use);
}
