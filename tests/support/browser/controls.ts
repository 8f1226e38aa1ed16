/** Helpers for controls that scripts replace: menus, comboboxes, the editor's tabs. Each works with the native element and with its replacement. */
import type { Locator, Page } from "playwright-core";
import { PANEL_GROUPS, type Panel } from "~/routes/content/editor/panels";
import { waitForAnimations } from "./animations";
import { type BrowserVisit, waitForHydration } from "./visit";

/** The account menu's button. */
export const accountMenu = (page: Page): Locator =>
  page.locator("header :is(summary, button[aria-expanded])");

/** Returns the native element. With scripts, it moves the pointer over that element and returns the element that replaces it. */
async function waitForReplacement(
  { page, js }: BrowserVisit,
  native: Locator,
  replacement: Locator,
): Promise<Locator> {
  if (!js) return native;
  await waitForHydration(page);
  await native.or(replacement).hover();
  await replacement.waitFor();
  return replacement;
}

/** Label of an event's text in the page's language. */
export const eventTextLabel = (
  { t, lang }: Pick<BrowserVisit, "t" | "lang">,
  text: "name" | "detail",
): string =>
  t("events:inLanguage", { field: t(`events:${text}`), language: t(`shared-owners:languages.${lang}`) });

/** Opens a group of fields by its title, unless it is open. */
export async function openGroup({ page }: BrowserVisit, title: string): Promise<void> {
  const summary = page.locator("summary").filter({ has: page.getByText(title, { exact: true }) });
  await summary.waitFor();
  if (!(await summary.evaluate((element) => (element.parentElement as HTMLDetailsElement).open)))
    await summary.click();
}

/** Opens a menu by the name of its button. */
export async function openMenu(visit: BrowserVisit, menu: string): Promise<void> {
  const { page } = visit;
  const byName = page.getByLabel(menu, { exact: true }).or(page.getByText(menu, { exact: true }));
  const trigger = await waitForReplacement(
    visit,
    page.locator("summary").and(byName),
    page.locator('button[aria-haspopup="menu"]').and(byName),
  );
  await trigger.click();
}

/** Opens a menu by the name of its button, and chooses an entry. */
export async function chooseInMenu(visit: BrowserVisit, menu: string, entry: string): Promise<void> {
  const { page, js } = visit;
  await openMenu(visit, menu);
  const panel = page.locator(js ? "[role=menu]" : "details[open]");
  const byRole = (role: "menuitem" | "link" | "button") =>
    panel.getByRole(role, { name: entry, exact: true });
  const item = js ? byRole("menuitem") : byRole("link").or(byRole("button"));
  if (js) await waitForAnimations(item);
  await item.click();
}

/** Chooses an option of a list by a part of its label. */
export async function chooseOption(visit: BrowserVisit, label: string, option: string): Promise<void> {
  const { page, js } = visit;
  const field = page.getByRole("combobox", { name: label, exact: true });
  const control = await waitForReplacement(
    visit,
    field.and(page.locator("select")),
    field.and(page.locator("input")),
  );
  if (!js) {
    const text = await control.locator("option", { hasText: option }).first().textContent();
    await control.selectOption({ label: text ?? "" });
    return;
  }
  await control.click();
  await control.fill(option);
  const optionLocator = page.locator("[role=option]", { hasText: option }).first();
  await waitForAnimations(optionLocator);
  await optionLocator.click();
}

/** An option of a choice that consists of radio buttons without scripts, and is a combobox with them. Opens the combobox's list. */
export async function choiceOption(visit: BrowserVisit, label: string, option: string): Promise<Locator> {
  const { page, js } = visit;
  if (!js) return page.getByRole("radio", { name: option }).first();
  const field = page.getByRole("combobox", { name: label, exact: true });
  await waitForReplacement(visit, field.and(page.locator("select")), field.and(page.locator("input")));
  await field.click();
  await field.fill(option);
  return page.locator("[role=option]", { hasText: option }).first();
}

/** Chooses an option of a choice that consists of radio buttons without scripts, and is a combobox with them. */
export async function chooseOne(visit: BrowserVisit, label: string, option: string): Promise<void> {
  const optionLocator = await choiceOption(visit, label, option);
  if (!visit.js) return optionLocator.check();
  await waitForAnimations(optionLocator);
  await optionLocator.click();
}

/** A tab of the editor's panel, or a link to a panel of the current tab. */
export const panelTab = ({ page }: BrowserVisit, name: string): Locator =>
  page
    .locator("main nav")
    .locator("a")
    .filter({ hasText: new RegExp(`^${name}`) });

/** Opens the menu beside the title of a page or of the editor's panel, and chooses an entry. */
export async function chooseAction(visit: BrowserVisit, entry: string): Promise<void> {
  const { page, js } = visit;
  const trigger = await waitForReplacement(
    visit,
    page.locator("main summary[aria-label]").first(),
    page.locator('main button[aria-haspopup="menu"]').first(),
  );
  await trigger.click();
  const item = page
    .locator(js ? "[role=menu]" : "details[open]")
    .getByRole(js ? "menuitem" : "link", { name: entry });
  if (js) await waitForAnimations(item);
  await item.click();
}

/** Opens a panel of the editor through the tab of its group, or the history through the menu. */
export async function openPanel(visit: BrowserVisit, panel: Panel): Promise<void> {
  const { t } = visit;
  if (panel === "history") return chooseAction(visit, t("content:history.title"));
  const group = PANEL_GROUPS.find(({ panels }) => panels.some((candidate) => candidate === panel));
  if (!group) throw new Error(`No group of panels has ${panel}`);
  await panelTab(visit, t(`content:panelGroups.${group.name}`))
    .first()
    .click();
  if (group.panels[0] !== panel)
    await panelTab(visit, t(`content:panels.${panel}`))
      .last()
      .click();
}
