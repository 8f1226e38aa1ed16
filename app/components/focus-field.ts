const FIRST_USE_EVENTS = ["keydown", "pointerdown", "input"] as const;

/**
 * Focuses a field. Until the user types or clicks, the field has the attribute data-unused, which permits `whenIdle`
 * (when-idle.client.ts) to replace the field although it has the focus.
 */
export function focusField(field: HTMLElement, options?: FocusOptions): void {
  field.focus(options);
  field.dataset.unused = "";
  const markUsed = () => {
    delete field.dataset.unused;
    for (const name of FIRST_USE_EVENTS) field.removeEventListener(name, markUsed);
  };
  for (const name of FIRST_USE_EVENTS) field.addEventListener(name, markUsed);
}
