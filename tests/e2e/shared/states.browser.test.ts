import type { Page } from "playwright-core";
import { beforeAll, describe, test } from "vitest";
import { type Caller, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { visit } from "../../support/browser/visit";

let people: Record<"owner" | "admin" | "newcomer", Caller>;
beforeAll(async () => {
  const [owner, admin, newcomer] = await Promise.all(["owner", "admin", "mori"].map(signIn));
  if (!owner || !admin || !newcomer) throw new Error("A demo account is missing");
  people = { owner, admin, newcomer };
});

const EVENT = `/event/${demoIds.mainEvent}`;

/** Submits the page's or the dialog's form, which is rejected. */
const submitRejectedForm = async (page: Page) => {
  const scope = (await page.locator("dialog:modal").count()) > 0 ? "dialog" : "main";
  await page.locator(`${scope} form button[type=submit]:visible`).last().click();
  await page.getByRole("alert").first().waitFor();
};

interface State {
  readonly name: string;
  readonly person?: keyof typeof people;
  readonly path: string;
  readonly act?: (page: Page) => Promise<unknown>;
}

/** States of screens that screens.browser.test.ts does not show, such as without content, without results, and with errors. */
const STATES: readonly State[] = [
  { name: "webhooks of a new account", person: "newcomer", path: "/account/webhooks" },
  { name: "tokens of a new account", person: "newcomer", path: "/account/tokens" },
  { name: "no deleted groups", person: "admin", path: "/groups?show=trash" },
  { name: "no deleted users", person: "admin", path: "/user-list?show=trash" },
  { name: "no entries", person: "admin", path: "/audit?person=nobody" },
  { name: "no media", path: "/library?q=zzz" },
  { name: "no tags", path: `${EVENT}?panel=tags&q=zzz` },
  { name: "no media of the event", path: `${EVENT}?panel=media&q=zzz` },
  { name: "nothing to add", path: `${EVENT}?panel=media&pick=media&find=zzz` },
  { name: "products", path: `${EVENT}?panel=store&pick=product` },
  { name: "new tag", path: `${EVENT}?panel=tags&tag=new` },
  { name: "second factor", path: "/account/second-factor" },
  { name: "rejected user", person: "admin", path: "/user-list/new", act: submitRejectedForm },
  { name: "rejected group", person: "admin", path: "/groups?dialog=new", act: submitRejectedForm },
  { name: "rejected token", path: "/account/tokens?dialog=new", act: submitRejectedForm },
  {
    name: "rejected webhook",
    path: "/account/webhooks/new",
    act: async (page) => {
      await page.locator("[name=url]").fill("http://localhost");
      await submitRejectedForm(page);
    },
  },
  {
    name: "selected user",
    person: "admin",
    path: "/user-list",
    act: (page) => page.locator("tbody input").first().check(),
  },
];

describe("each of these states of screens", () => {
  for (const person of ["owner", "admin", "newcomer"] as const)
    for (const [lang, width] of [
      ["ja", 390],
      ["en", 1280],
    ] as const)
      test(`has no axe violations for ${person} (${lang}, ${width})`, { timeout: 400_000 }, () =>
        visit({ lang, width, as: people[person], reducedMotion: true }, async (self) => {
          self.expectStatus(400);
          for (const state of STATES.filter((state) => (state.person ?? "owner") === person)) {
            await self.open(state.path);
            await state.act?.(self.page);
            await self.axe(state.name);
          }
        }),
      );
});
