/**
 * Sets a control's value as typing would, so that React, the form's own script and "something changed" all hear of it.
 */
export function setNativeValue(input: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const kind = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  const setter = Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set;
  setter?.call(input, value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
