/** Helpers for controls that scripts replace: menus, comboboxes, the editor's tabs. Each works with the native element and with its replacement. */
import type { Locator, Page } from "playwright-core";
import { PANEL_GROUPS, type Panel } from "~/routes/content/editor/panels";
import { hydrated, type Visit } from "./visit";

/** The account menu's button. */
export const accountMenu = (page: Page): Locator =>
  page.locator("header :is(summary, button[aria-expanded])");

/** Moves the pointer over an element, and waits until scripts have replaced it. */
async function waitForReplacement(
  { page, js }: Visit,
  native: Locator,
  replacement: Locator,
): Promise<Locator> {
  if (!js) return native;
  await hydrated(page);
  await native.or(replacement).hover();
  await replacement.waitFor();
  return replacement;
}

/** Label of an event's text in the page's language. */
export const eventTextLabel = ({ t, lang }: Pick<Visit, "t" | "lang">, text: "name" | "detail"): string =>
  t("events:inLanguage", { field: t(`events:${text}`), language: t(`shared-owners:languages.${lang}`) });

/** Opens a group of fields by its title, unless it is open. */
export async function openGroup({ page }: Visit, title: string): Promise<void> {
  const summary = page.locator("summary").filter({ has: page.getByText(title, { exact: true }) });
  await summary.waitFor();
  if (!(await summary.evaluate((element) => (element.parentElement as HTMLDetailsElement).open)))
    await summary.click();
}

/** Opens a menu by the name of its button. */
export async function openMenu(self: Visit, menu: string): Promise<void> {
  const { page } = self;
  const named = page.getByLabel(menu, { exact: true }).or(page.getByText(menu, { exact: true }));
  const trigger = await waitForReplacement(
    self,
    page.locator("summary").and(named),
    page.locator('button[aria-haspopup="menu"]').and(named),
  );
  await trigger.click();
}

/** Opens a menu by the name of its button, and chooses an entry. */
export async function chooseInMenu(self: Visit, menu: string, entry: string): Promise<void> {
  const { page, js } = self;
  await openMenu(self, menu);
  await page
    .locator(js ? "[role=menu]" : "details[open]")
    .getByRole(js ? "menuitem" : "link", { name: entry, exact: true })
    .click();
}

/** Chooses an option of a list by a part of its label. */
export async function chooseOption(self: Visit, label: string, option: string): Promise<void> {
  const { page, js } = self;
  const field = page.getByRole("combobox", { name: label, exact: true });
  const control = await waitForReplacement(
    self,
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
  await page.locator("[role=option]", { hasText: option }).first().click();
}

/** An option of a choice that consists of radio buttons without scripts, and is a combobox with them. Opens its list. */
export async function choiceOption(self: Visit, label: string, option: string): Promise<Locator> {
  const { page, js } = self;
  if (!js) return page.getByRole("radio", { name: option }).first();
  const field = page.getByRole("combobox", { name: label, exact: true });
  await waitForReplacement(self, field.and(page.locator("select")), field.and(page.locator("input")));
  await field.click();
  await field.fill(option);
  return page.locator("[role=option]", { hasText: option }).first();
}

/** Chooses an option of such a choice. */
export async function chooseOne(self: Visit, label: string, option: string): Promise<void> {
  const found = await choiceOption(self, label, option);
  await (self.js ? found.click() : found.check());
}

/** A tab of the editor's panel, or a link to a panel of the current tab. */
export const panelTab = ({ page }: Visit, name: string): Locator =>
  page
    .locator("main nav")
    .locator("a")
    .filter({ hasText: new RegExp(`^${name}`) });

/** Opens the menu beside the title of a page or of the editor's panel, and chooses an entry. */
export async function chooseAction(self: Visit, entry: string): Promise<void> {
  const { page, js } = self;
  const trigger = await waitForReplacement(
    self,
    page.locator("main summary[aria-label]").first(),
    page.locator('main button[aria-haspopup="menu"]').first(),
  );
  await trigger.click();
  await page
    .locator(js ? "[role=menu]" : "details[open]")
    .getByRole(js ? "menuitem" : "link", { name: entry })
    .click();
}

/** Opens a panel of the editor through the tab of its group, or the history through the menu. */
export async function openPanel(self: Visit, panel: Panel): Promise<void> {
  const { t } = self;
  if (panel === "history") return chooseAction(self, t("content:history.title"));
  const group = PANEL_GROUPS.find(({ panels }) => panels.some((each) => each === panel));
  if (!group) throw new Error(`No group of panels has ${panel}`);
  await panelTab(self, t(`content:panelGroups.${group.name}`))
    .first()
    .click();
  if (group.panels[0] !== panel)
    await panelTab(self, t(`content:panels.${panel}`))
      .last()
      .click();
}
