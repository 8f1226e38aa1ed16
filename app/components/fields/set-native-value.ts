/**
 * Sets a control's value and dispatches the same events as input by a user, so that React, the form's scripts and the check for unsaved changes are
 * notified.
 */
export function setNativeValue(
  control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  value: string,
): void {
  // React overrides the value property of the element itself. The setter of the prototype bypasses that.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}
