import { type RefObject, useEffect, useRef } from "react";

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Keyboard shortcuts of a list with checkboxes, which apply while a link in an item has the focus. Arrows go to the main link (`data-main`) of another
 * item, Space selects or deselects the item, Delete or Backspace opens the dialog that deletes the selected items (or else this item), Ctrl or ⌘ with A
 * selects all items, and Esc deselects them.
 * @param formKey React's key of the form
 */
export function useListKeys(form: RefObject<HTMLFormElement>, formKey: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another form element
  useEffect(() => {
    const listForm = form.current;
    if (!listForm) return;
    const onKeyDown = (event: KeyboardEvent) => handleListKey(listForm, event);
    listForm.addEventListener("keydown", onKeyDown);
    return () => listForm.removeEventListener("keydown", onKeyDown);
  }, [form, formKey]);
}

/** Handles a key that is pressed while a link in an item of the list has the focus. */
function handleListKey(listForm: HTMLElement, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || !(event.target instanceof HTMLAnchorElement)) return;
  const item = event.target.closest<HTMLElement>("[data-item]");
  if (!item) return;
  const checkboxes = [...listForm.querySelectorAll<HTMLInputElement>("input[name=item]")];
  const ownCheckbox = checkboxes.find(({ value }) => value === item.dataset.item);
  const setChecked = (checkboxesToSet: readonly (HTMLInputElement | undefined)[], checked: boolean) => {
    for (const checkbox of checkboxesToSet) if (checkbox) checkbox.checked = checked;
    ownCheckbox?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const direction = DIRECTIONS[event.key];
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "a") return;
    setChecked(checkboxes, true);
  } else if (direction) {
    const nextLink = findNeighbour(listForm, event.target, direction);
    // At the end of the list, arrows scroll the page.
    if (!nextLink) return;
    nextLink.focus();
  } else if (event.key === " ") setChecked([ownCheckbox], !ownCheckbox?.checked);
  else if (event.key === "Delete" || event.key === "Backspace") {
    if (!checkboxes.some(({ checked }) => checked)) setChecked([ownCheckbox], true);
    listForm.querySelector<HTMLButtonElement>("button[name=dialog][value=delete]")?.click();
  } else if (event.key === "Escape" && checkboxes.some(({ checked }) => checked))
    setChecked(checkboxes, false);
  else return;
  event.preventDefault();
}

/** Focuses the item after a removed one that had the focus, or the one before it. In an empty list, the page's search field gets the focus. */
export function useFocusAfterRemoval(form: RefObject<HTMLFormElement>, formKey: string): void {
  // Items in the order in which they get the focus if the focused one, which is the first, disappears.
  const successors = useRef<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another form element
  useEffect(() => {
    const listForm = form.current;
    const onFocus = ({ target }: FocusEvent) => {
      const row = (target as Element).closest("[data-item], li, tr");
      const item = row?.closest<HTMLElement>("[data-item]") ?? row?.querySelector<HTMLElement>("[data-item]");
      if (!item || !listForm) return;
      const items = [...listForm.querySelectorAll<HTMLElement>("[data-item]")];
      const index = items.indexOf(item);
      successors.current = [...items.slice(index), ...items.slice(0, index).reverse()].map(
        ({ dataset }) => dataset.item ?? "",
      );
    };
    listForm?.addEventListener("focusin", onFocus);
    return () => {
      listForm?.removeEventListener("focusin", onFocus);
      successors.current = [];
    };
  }, [form, formKey]);
  useEffect(() => {
    const [focused, ...others] = successors.current;
    if (focused === undefined || document.activeElement !== document.body) return;
    const findLink = (item: string) =>
      form.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"] a[data-main]`);
    if (findLink(focused)) return;
    for (const item of others) {
      const link = findLink(item);
      if (link) return link.focus();
    }
  });
  useEffect(
    () => () => {
      if (successors.current.length > 0 && document.activeElement === document.body)
        document.querySelector<HTMLElement>("main input[type=search]")?.focus();
    },
    [],
  );
}

/** The nearest link of another item in a direction. */
function findNeighbour(listForm: HTMLElement, from: HTMLElement, [x, y]: readonly [number, number]) {
  const centre = (element: Element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };
  const itemOf = (link: HTMLElement) => link.closest("[data-item]") ?? link;
  const [fromX, fromY] = centre(itemOf(from));
  let nearest: HTMLElement | null = null;
  let leastDistance = Number.POSITIVE_INFINITY;
  for (const link of listForm.querySelectorAll<HTMLElement>("[data-item] a[data-main]")) {
    const [toX, toY] = centre(itemOf(link));
    const alongDistance = (toX - fromX) * x + (toY - fromY) * y;
    const acrossDistance = Math.abs((toX - fromX) * y) + Math.abs((toY - fromY) * x);
    // A link that is less than 8 pixels away in the direction is in the same row or column.
    if (link === from || alongDistance < 8) continue;
    // The double weight prefers links of the same row or column.
    const distance = alongDistance + 2 * acrossDistance;
    if (distance < leastDistance) [nearest, leastDistance] = [link, distance];
  }
  return nearest;
}
