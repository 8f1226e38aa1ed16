/**
 * Sets a control's value and dispatches the events of an input by a user, so that React, the form's script and the check for unsaved
 * changes notice it.
 */
export function setNativeValue(
  control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  value: string,
): void {
  // React tracks the element's own property. The setter of its prototype bypasses the tracking.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}
